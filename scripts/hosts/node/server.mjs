// A shop whose comments Docket moderates over HTTP. It needs Node 20 and nothing else; its
// content is in memory.
import { createHmac, generateKeyPairSync, randomUUID, sign, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { SHOP_SECRET = '', SHOP_URL = 'http://127.0.0.1:8090', DOCKET_URL = 'http://127.0.0.1:8080', DOCKET_TOKEN = '' } = process.env;
const core = `${DOCKET_URL}/api/@platform/core`;
const secret = Buffer.from(SHOP_SECRET.replace(/^whsec_/, ''), 'base64');
if (secret.length < 24) throw new Error('SHOP_SECRET must be whsec_ and at least 24 bytes in base64');

const members = { ann: 'Ann', uma: 'Uma', vic: 'Vic' };
const departments = [{ id: 'books', label: 'Books' }, { id: 'toys', label: 'Toys', context: ['Children'] }];
const comments = new Map([
  ['1', { product: 'Owls: a field guide', department: 'books', author: 'ann', text: 'Clear pictures, and light enough for a walk.', at: '2026-03-01T10:00:00Z', hidden: false }],
  ['2', { product: 'Owls: a field guide', department: 'books', author: 'vic', text: 'Buy <b>my</b> watches instead!', at: '2026-03-02T10:00:00Z', hidden: false }],
  ['3', { product: 'Wooden train', department: 'toys', author: 'uma', text: 'The wheels came off on the first day.', at: '2026-03-03T10:00:00Z', hidden: false }],
]);

const addressOf = (id) => `${SHOP_URL}/#comment-${id}`;

// capture returns what a member sees of a comment, for the snapshot that a report keeps.
const capture = (id, c) => ({
  title: `Comment on ${c.product}`, fields: { text: c.text }, url: addressOf(id), scope: c.department, locale: 'en',
  authors: [{ subject: c.author, name: members[c.author] }], revision: { publishedAt: c.at },
});

// verified reports whether the secret signed a message in the last five minutes
// (https://www.standardwebhooks.com).
function verified(headers, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false;
  const wanted = createHmac('sha256', secret).update(`${id}.${at}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

// Docket repeats a request with the same message id until it has an answer, which must then
// be the same. Keep these answers in the transaction of the change if you have a database.
const answered = new Map();
const once = (messageId, change) => {
  if (!answered.has(messageId)) answered.set(messageId, change());
  return [200, answered.get(messageId)];
};
const act = (hidden) => (q, c, messageId) => once(messageId, () => {
  const changed = c.hidden !== hidden;
  c.hidden = hidden;
  return { changed, hidden };
});

// Measures on members, by id. What has ended is kept, so that a measure that arrives after its end
// changes nothing.
const measures = new Map();
const measure = (q, messageId) => (Object.hasOwn(members, q.author.subject) ? once(messageId, () => {
  const changed = !measures.has(q.measureId);
  if (changed) measures.set(q.measureId, { member: q.author.subject, kind: q.kind, until: q.until ? Date.parse(q.until) : Infinity, report: q.reportId });
  return { changed };
}) : [404]);
const aboutPeople = {
  'people/warn': measure, 'people/restrict': measure, 'people/suspend': measure, 'people/terminate': measure,
  'people/end': (q, messageId) => once(messageId, () => {
    const changed = (measures.get(q.measureId)?.until ?? 0) > 0;
    measures.set(q.measureId, { until: 0 });
    return { changed };
  }),
};

// barring returns the measures that keep a member from commenting.
const barring = (member) => [...measures.values()].filter((m) => m.member === member && m.kind !== 'warn' && m.until > Date.now());

// refusal tells a member until when they may not comment; it is empty if they may.
function refusal(member) {
  const until = Math.max(0, ...barring(member).map((m) => m.until));
  if (until === 0) return '';
  return until === Infinity ? 'You may not comment.' : `You may not comment until ${new Date(until).toISOString()}.`;
}

// What Docket asks about a comment that exists.
const aboutComments = {
  capture: (q, c) => (c.hidden ? [404] : [200, capture(q.id, c)]),
  current: (q, c) => [200, { hidden: c.hidden, url: addressOf(q.id), scope: c.department, actions: { hide: !c.hidden, unhide: c.hidden } }],
  // The comments on the same product, at most three before and after this one.
  context: (q, c) => {
    const thread = [...comments].filter(([, other]) => other.product === c.product && other.department === c.department);
    const at = thread.findIndex(([id]) => id === q.id);
    return [200, { items: thread.slice(Math.max(0, at - 3), at + 4).map(([id, other], n) => ({
      id, relation: ['before', 'target', 'after'][1 + Math.sign(n - Math.min(at, 3))], text: other.text,
      author: { subject: other.author, name: members[other.author] }, at: other.at, hidden: other.hidden, url: addressOf(id),
    })) }];
  },
  'actions/hide': act(true),
  'actions/unhide': act(false),
};

const aboutScopes = {
  'scopes/list': (q) => departments.filter((d) => d.label.toLowerCase().includes(q.search.toLowerCase())).slice(0, q.limit),
  'scopes/find': (q) => departments.filter((d) => q.ids.includes(d.id)),
};

// resolve answers which comment is at the address of a notice, such as http://127.0.0.1:8090/#comment-3.
function resolve({ url }) {
  const { origin, hash } = new URL(url);
  const id = hash.replace('#comment-', '');
  return origin === new URL(SHOP_URL).origin && comments.has(id) ? [200, { type: 'shop.comment', id }] : [404];
}

function answer(path, headers, body) {
  if (!verified(headers, body)) return [401];
  const question = JSON.parse(body);
  if (path === 'resolve') return resolve(question);
  if (Object.hasOwn(aboutScopes, path)) return [200, { items: aboutScopes[path](question) }];
  if (Object.hasOwn(aboutPeople, path)) return aboutPeople[path](question, headers['webhook-id']);
  const comment = comments.get(question.id);
  if (!comment || !Object.hasOwn(aboutComments, path)) return [404];
  return aboutComments[path](question, comment, headers['webhook-id']);
}

// Tokens of members for <docket-report>. Docket reads the public key at /jwks; keep the private
// one in a file if you run more than one server.
const keys = generateKeyPairSync('ed25519');
const kid = randomUUID();
function memberToken(member) {
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const text = `${encode({ alg: 'EdDSA', kid })}.${encode({ iss: 'plugin:shop', aud: 'docket', sub: member, name: members[member], iat: now, exp: now + 300 })}`;
  return `${text}.${sign(null, Buffer.from(text), keys.privateKey).toString('base64url')}`;
}

// file reports a comment for a member from this server, without a script in the page.
async function file(id, member, form) {
  const comment = comments.get(id);
  if (!comment || comment.hidden) return [404, 'There is no such comment.'];
  const filed = await fetch(`${core}/moderation/reports`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${DOCKET_TOKEN}` },
    body: JSON.stringify({
      pluginId: 'shop', targetType: 'shop.comment', targetId: id, reason: form.get('reason'),
      reporter: { subject: member, name: members[member] }, capture: capture(id, comment),
    }),
  });
  return [filed.status, filed.ok ? 'Thank you. The moderators will look at it.' : (await filed.json()).message];
}

// appeal appeals a decision as the member, who has no account to sign in with at Docket.
async function appeal(report, member, text) {
  const sent = await fetch(`${core}/users/decisions/${encodeURIComponent(report)}/appeal`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${memberToken(member)}` }, body: JSON.stringify({ text }),
  });
  return [sent.status, sent.ok ? 'Your appeal was sent. Another moderator will look at it.' : (await sent.json()).message];
}

// say adds a comment, unless a measure on the member stands.
function say(member, text) {
  const refused = refusal(member);
  if (refused) return [403, refused];
  comments.set(String(comments.size + 1), { product: 'Wooden train', department: 'toys', author: member, text, at: new Date().toISOString(), hidden: false });
  return [303, '', { Location: '/' }];
}

// writing is where a member writes a comment, or appeals what keeps them from it.
function writing(member) {
  const refused = refusal(member);
  if (!refused) return '<form method="post" action="/comments"><label>Your comment on Wooden train <input name="text" maxlength="1000" required></label><button>Send</button></form>';
  return `<p>${refused}</p>${[...new Set(barring(member).map((m) => m.report))].map((report) => `<form method="post" action="/appeal/${encodeURIComponent(report)}">
<label>Why is the decision wrong? <textarea name="text" maxlength="5000" required></textarea></label><button>Send appeal</button></form>`).join('')}`;
}

const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const page = (member) => `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Shop</title>
<script type="module" src="${core}/embed/report.js"></script>
<h1>Comments</h1><form method="post" action="/sign-in">You are ${escape(members[member] ?? 'a guest')}.
${Object.entries(members).map(([id, name]) => `<button name="member" value="${id}">Sign in as ${name}</button>`).join(' ')}</form>
${Object.hasOwn(members, member ?? '') ? writing(member) : ''}
${[...comments].filter(([, c]) => !c.hidden).map(([id, c]) => `<article id="comment-${id}"><h2>${escape(c.product)}</h2><p>${escape(c.text)}</p><p>${escape(members[c.author])}</p>
<docket-report plugin="shop" type="shop.comment" target="${id}" token-url="/docket-token"></docket-report>
<noscript><form method="post" action="/report/${id}"><button name="reason" value="spam">Report as spam</button></form></noscript></article>`).join('\n')}</html>`;

async function respond(request, path, body) {
  const member = /(?:^|; )member=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
  const signedIn = member !== undefined && Object.hasOwn(members, member);
  const text = () => new URLSearchParams(body.toString()).get('text') ?? '';
  const [, first, rest] = /^\/([^/]*)\/?(.*)$/.exec(path);
  switch (`${request.method} /${first}`) {
    case 'GET /': return [200, page(member)];
    case 'GET /jwks': return [200, { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }] }];
    case 'GET /docket-token': return signedIn ? [200, { token: memberToken(member) }] : [401];
    case 'POST /docket': return answer(rest, request.headers, body);
    case 'POST /report': return signedIn ? file(rest, member, new URLSearchParams(body.toString())) : [401, 'Sign in to report this.'];
    case 'POST /comments': return signedIn ? say(member, text().slice(0, 1000)) : [401, 'Sign in to comment.'];
    case 'POST /appeal': return signedIn ? appeal(rest, member, text()) : [401, 'Sign in to appeal.'];
    case 'POST /sign-in': { // a shop would ask for a password
      const who = /^member=(\w+)$/.exec(body.toString())?.[1] ?? '';
      return [303, '', { Location: '/', 'Set-Cookie': `member=${who}; HttpOnly; SameSite=Lax; Path=/` }];
    }
  }
  return [404];
}

const server = createServer(async (request, response) => {
  let [status, content = '', headers = {}] = [500];
  try {
    let body = Buffer.alloc(0);
    for await (const chunk of request) {
      body = Buffer.concat([body, chunk]);
      if (body.length > 65536) throw new Error('the request is too large');
    }
    [status, content = '', headers = {}] = await respond(request, request.url.split('?')[0], body);
  } catch (error) {
    console.error(error);
  }
  const html = typeof content === 'string';
  response.writeHead(status, { 'Content-Type': html ? 'text/html; charset=utf-8' : 'application/json', 'Cache-Control': 'no-store', ...headers });
  response.end(html ? content : JSON.stringify(content));
});

// A service manager may hand over the socket (sd_listen_fds(3)).
const { hostname, port } = new URL(SHOP_URL);
server.listen(process.env.LISTEN_FDS ? { fd: 3 } : { host: hostname, port: port || 80 }, () => console.log(`shop ready ${SHOP_URL}`));

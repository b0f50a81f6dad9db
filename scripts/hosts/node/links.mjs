// A provider of signals: Docket asks it about each report, and it compares the links with a list of
// hosts, one a line. It needs Node 20 and nothing else.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { LINKS_SECRET = '', LINKS_URL = 'http://127.0.0.1:8091', LINKS_LIST = new URL('hosts.txt', import.meta.url) } = process.env;
const secret = Buffer.from(LINKS_SECRET.replace(/^whsec_/, ''), 'base64');
if (secret.length < 24) throw new Error('LINKS_SECRET must be whsec_ and at least 24 bytes in base64');
const listed = new Set(readFileSync(LINKS_LIST, 'utf8').split('\n').map((line) => line.trim().toLowerCase()).filter((line) => line && !line.startsWith('#')));

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

// onList reports whether a link leads to a host of the list, or below one.
function onList(link) {
  const address = /^https?:/i.test(link) ? link : `http://${link}`;
  if (!URL.canParse(address)) return false;
  const labels = new URL(address).hostname.replace(/\.$/, '').split('.');
  return labels.some((_, from) => listed.has(labels.slice(from).join('.')));
}

// What this provider thinks of content: the share of its links that lead to the list.
function signalsOf({ links }) {
  const bad = links.filter(onList).length;
  return [
    { name: 'links.listed', score: links.length === 0 ? 0 : bad / links.length },
    { name: 'links.many', score: Math.min(links.length / 10, 1) },
  ];
}

const server = createServer(async (request, response) => {
  let [status, answer] = [500, {}];
  try {
    let body = Buffer.alloc(0);
    for await (const chunk of request) {
      body = Buffer.concat([body, chunk]);
      if (body.length > 1 << 21) throw new Error('the request is too large');
    }
    if (request.method !== 'POST' || !verified(request.headers, body)) status = 401;
    else [status, answer] = [200, { signals: signalsOf(JSON.parse(body)) }];
  } catch (error) {
    console.error(error);
  }
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(answer));
});

// A service manager may hand over the socket (sd_listen_fds(3)).
const { hostname, port } = new URL(LINKS_URL);
server.listen(process.env.LISTEN_FDS ? { fd: 3 } : { host: hostname, port: port || 80 }, () => console.log(`links ready ${LINKS_URL}`));

// An OpenID provider that signs everybody in as the person of the last POST /person. It
// prints its issuer, and it ends with its standard input.
//
// The person is their claims. `denies` makes them refuse their consent, and `token` has
// claims that replace those of the id token, which the provider's key signs all the same.
import { createServer } from 'node:http';
import { SignJWT, decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

let person = { sub: 'ada' };
const people = new Map();

const { privateKey } = await generateKeyPair('RS256', { extractable: true });

const provider = new Provider(issuer, {
  jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
  clients: [
    {
      client_id: process.env.OIDC_CLIENT_ID,
      client_secret: process.env.OIDC_CLIENT_SECRET,
      redirect_uris: [process.env.OIDC_REDIRECT_URI],
    },
  ],
  pkce: { required: () => true },
  scopes: ['openid', 'groups'],
  claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
  conformIdTokenClaims: process.env.OIDC_USERINFO === 'only',
  cookies: { keys: ['not a secret'] },
  features: { devInteractions: { enabled: false } },
  findAccount: (_, id) => ({ accountId: id, claims: () => people.get(id) }),
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
});

const { issue } = provider.IdToken.prototype;
provider.IdToken.prototype.issue = async function (options) {
  const token = await issue.call(this, options);
  if (options.use !== 'idtoken' || person.token === undefined) return token;
  return new SignJWT({ ...decodeJwt(token), ...person.token }).setProtectedHeader(decodeProtectedHeader(token)).sign(privateKey);
};

provider.use(async (ctx, next) => {
  if (ctx.method === 'POST' && ctx.path === '/person') {
    const chunks = [];
    for await (const chunk of ctx.req) chunks.push(chunk);
    person = JSON.parse(Buffer.concat(chunks));
    ctx.status = 204;
    return;
  }
  if (!ctx.path.startsWith('/interaction/')) return next();
  const { params } = await provider.interactionDetails(ctx.req, ctx.res);
  if (person.denies) {
    await provider.interactionFinished(ctx.req, ctx.res, { error: 'access_denied' });
    ctx.respond = false;
    return;
  }
  people.set(person.sub, person);
  const grant = new provider.Grant({ accountId: person.sub, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const result = { login: { accountId: person.sub, remember: false }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(ctx.req, ctx.res, result);
  ctx.respond = false;
});

server.on('request', provider.callback());
console.log(issuer);
process.stdin.on('end', () => process.exit()).resume();

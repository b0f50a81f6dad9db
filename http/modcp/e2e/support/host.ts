import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDemo, type Server } from './server';

/** A site of another origin whose pages hold `<docket-report>`, and whose members Docket knows by JWTs. */
export interface Host {
  /** A demo of its own, which the site is connected to. */
  docket: Server;
  /**
   * The address of a page about a post. Nobody is signed in there without a member. A strict page names what it loads
   * in a Content-Security-Policy, and says x-default for its language.
   */
  page: (about: { target: string; lang: 'en' | 'ar'; member?: string; strict?: boolean }) => string;
  stop: () => Promise<void>;
}

const texts = {
  en: { title: 'A site of its own', words: 'Words that somebody wrote.' },
  ar: { title: 'موقع مستقل', words: 'كلام كتبه أحد الأعضاء.' },
};

export async function startHost(): Promise<Host> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const token = (member: string) => {
    const now = Math.floor(Date.now() / 1000);
    const text = `${encode({ alg: 'EdDSA', kid: 'host' })}.${encode({ iss: 'https://host.test', aud: 'docket', sub: member, name: member, iat: now, exp: now + 300 })}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  };
  let docket = '';
  const html = (query: URLSearchParams) => {
    const lang = query.get('lang') === 'ar' ? 'ar' : 'en';
    return `<!doctype html><html lang="${query.has('strict') ? 'x-default' : lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><link rel="icon" href="data:,">
      <meta name="viewport" content="width=device-width"><title>${texts[lang].title}</title>
      <script type="module" src="${docket}/api/@platform/core/embed/report.js"></script></head>
      <body><main><h1>${texts[lang].title}</h1><p>${texts[lang].words}</p>
      <docket-report plugin="forum" type="forum.post" target="${Number(query.get('target'))}" sign-in-url="/sign-in" token-url="/token?as=${encodeURIComponent(query.get('member') ?? '')}"></docket-report></main></body></html>`;
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://host.test');
    const answer = (status: number, type: string, body: string) => response.writeHead(status, { 'Content-Type': type }).end(body);
    const member = searchParams.get('as') ?? '';
    if (pathname === '/' && searchParams.has('strict')) response.setHeader('Content-Security-Policy', `default-src 'self'; script-src ${docket}; connect-src 'self' ${docket}; img-src data:`);
    if (pathname === '/') answer(200, 'text/html', html(searchParams));
    else if (pathname === '/jwks') answer(200, 'application/json', JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'host', alg: 'EdDSA', use: 'sig' }] }));
    else if (pathname === '/token' && member !== '') answer(200, 'application/json', JSON.stringify({ token: token(member) }));
    else answer(pathname === '/token' ? 401 : 404, 'text/plain', '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // Docket is at 127.0.0.1, so that this name makes it another site, too.
  const origin = `http://localhost:${port}`;
  const environment = { DOCKET_CORS_ORIGINS: origin, AUTH_JWKS_URL: `http://127.0.0.1:${port}/jwks`, AUTH_ISSUER: 'https://host.test', AUTH_AUDIENCE: 'docket' };
  const connected = await startDemo(environment);
  docket = connected.url;
  return {
    docket: connected,
    page: ({ target, lang, member, strict }) => `${origin}/?${new URLSearchParams({ target, lang, ...(member !== undefined && { member }), ...(strict && { strict: '' }) }).toString()}`,
    stop: async () => {
      await connected.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

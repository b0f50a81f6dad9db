import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { startServer, type Server } from './server';

const folder = resolve(import.meta.dirname, '../../../../scripts/hosts/node');

/** The shop of scripts/hosts/node, which begins to answer once it has a secret, beside a demo that may reach it. */
export interface Shop {
  docket: Server;
  url: string;
  /** Its manifest, with an issuer for its members. */
  manifest: string;
  start: (secret: string) => Promise<void>;
  stop: () => Promise<void>;
}

export async function newShop(): Promise<Shop> {
  // Docket is at 127.0.0.1, so that this name makes it another site, too.
  const url = `http://localhost:${await freePort()}`;
  const work = mkdtempSync(join(tmpdir(), 'docket-shop-'));
  chmodSync(work, 0o755);
  const docket = await startServer(process.env.E2E_BINARY!, join(work, 'data'), undefined, [], { DOCKET_WEBHOOK_ALLOW_PRIVATE: 'true', DOCKET_CORS_ORIGINS: url });
  let child: ChildProcess | undefined;
  return {
    docket,
    url,
    manifest: `${readFileSync(join(folder, 'shop.yaml'), 'utf8').replace('http://127.0.0.1:8090', url)}issuer: {jwksUrl: "${url}/jwks", issuer: "plugin:shop", audience: docket}\n`,
    start: async (secret) => {
      child = spawn(process.execPath, [join(folder, 'server.mjs')], { env: { ...process.env, SHOP_SECRET: secret, SHOP_URL: url, DOCKET_URL: docket.url }, stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((ready) => createInterface({ input: child!.stdout! }).once('line', ready));
    },
    stop: async () => {
      child?.kill();
      await docket.stop();
      rmSync(work, { recursive: true, force: true });
    },
  };
}

/** A port that nobody listens on. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((found) => {
    server.listen(0, 'localhost', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}

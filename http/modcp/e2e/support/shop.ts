import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { freeAddress, startDemo, type Server } from './server';

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
  const url = `http://${await freeAddress('localhost')}`;
  const docket = await startDemo({ DOCKET_WEBHOOK_ALLOW_PRIVATE: 'true', DOCKET_CORS_ORIGINS: url });
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
    },
  };
}

import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const folder = resolve(import.meta.dirname, '../../../../scripts/oidc');

/** The certified OpenID provider of scripts/oidc. */
export interface Provider {
  environment: Record<string, string>;
  /** Signs everybody in with these claims from now on. */
  signInAs: (claims: Record<string, unknown>) => Promise<void>;
  stop: () => void;
}

/** Starts a provider that sends people back to the Docket at base. */
export async function startProvider(base: string): Promise<Provider> {
  if (!existsSync(join(folder, 'node_modules', 'oidc-provider'))) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  const client = { OIDC_CLIENT_ID: 'docket', OIDC_CLIENT_SECRET: 'a-secret-of-thirty-two-characters' };
  const child = spawn('node', ['provider.mjs'], {
    cwd: folder,
    env: { ...process.env, ...client, OIDC_REDIRECT_URI: `${base}/api/@platform/core/users/oidc/callback` },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const issuer = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the provider ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  return {
    environment: { ...client, OIDC_ISSUER: issuer, OIDC_NAME: 'Example SSO', OIDC_ADMIN_GROUP: 'admins' },
    signInAs: async (claims) => {
      const answer = await fetch(`${issuer}/person`, { method: 'POST', body: JSON.stringify(claims) });
      if (answer.status !== 204) throw new Error(`the provider answers ${answer.status}`);
    },
    stop: () => child.kill('SIGKILL'),
  };
}

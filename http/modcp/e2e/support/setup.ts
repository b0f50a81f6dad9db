import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startServer } from './server';
import { sql } from './sql';

/** The demo's password at the least cost that a hash can have: tests sign in all the time. */
const cheapHash = '$argon2id$v=19$m=8,t=1,p=1$c2FsdC1mb3ItdGVzdHM$trKDU+hKOflBn/6OTzVClekrGXWG5VDaT5zto/SMZHo';

/** Builds the server with the committed panel in it, unless DOCKET_BIN is one, and makes the demo that others are copies of. */
export default async function setup(): Promise<() => void> {
  const work = mkdtempSync(join(tmpdir(), 'docket-e2e-'));
  // Local mode runs PostgreSQL as an unprivileged user, who must reach the folder.
  chmodSync(work, 0o755);
  const binary = process.env.DOCKET_BIN ?? join(work, 'docket');
  if (process.env.DOCKET_BIN === undefined) {
    execFileSync('go', ['build', '-o', binary, './cmd/docket'], { cwd: resolve(import.meta.dirname, '../../../..'), stdio: 'inherit' });
  }
  process.env.E2E_BINARY = binary;
  const made = join(work, 'demo');
  // DEMO_ARGS="--import DIR" runs the tests on other content than the demo's own.
  const server = await startServer(binary, made, undefined, process.env.DEMO_ARGS?.split(' '));
  sql(`UPDATE core_users SET password_hash = '${cheapHash}' WHERE demo`, made);
  for (const safety of ['fsync', 'synchronous_commit', 'full_page_writes']) sql(`ALTER SYSTEM SET ${safety} = off`, made);
  await server.stop();
  process.env.E2E_DEMO = made;
  return () => rmSync(work, { recursive: true, force: true });
}

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startServer } from './server';

/** Builds the server with the committed panel in it and runs one demo for all tests. */
export default async function setup(): Promise<() => Promise<void>> {
  const work = mkdtempSync(join(tmpdir(), 'docket-e2e-'));
  // Local mode runs PostgreSQL as an unprivileged user, who must reach the folder.
  chmodSync(work, 0o755);
  const binary = process.env.DOCKET_BIN ?? join(work, 'docket');
  if (process.env.DOCKET_BIN === undefined) {
    execFileSync('go', ['build', '-o', binary, './cmd/docket'], { cwd: resolve(import.meta.dirname, '../../../..'), stdio: 'inherit' });
  }
  const data = join(work, 'data');
  // DEMO_ARGS="--import DIR" runs the tests on other content than the demo's own.
  const server = await startServer(binary, data, undefined, process.env.DEMO_ARGS?.split(' '));
  process.env.E2E_URL = server.url;
  process.env.E2E_BINARY = binary;
  process.env.E2E_DATA = data;
  return async () => {
    await server.stop();
    rmSync(work, { recursive: true, force: true });
  };
}

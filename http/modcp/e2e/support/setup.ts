import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Builds the server with the committed panel in it, unless DOCKET_BIN is one. */
export default function setup(): () => void {
  const work = mkdtempSync(join(tmpdir(), 'docket-e2e-'));
  const binary = process.env.DOCKET_BIN ?? join(work, 'docket');
  if (process.env.DOCKET_BIN === undefined) {
    execFileSync('go', ['build', '-o', binary, './cmd/docket'], { cwd: resolve(import.meta.dirname, '../../../..'), stdio: 'inherit' });
  }
  process.env.E2E_BINARY = binary;
  return () => rmSync(work, { recursive: true, force: true });
}

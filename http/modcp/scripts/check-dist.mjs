// Proves that dist is what the sources build, and that no file of it is too
// large: builds into a temporary folder and compares byte for byte.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const root = resolve(import.meta.dirname, '..');
const committed = join(root, 'dist');
/** Bytes, compressed, that no single file may exceed. */
const limit = 100_000;

function files(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(folder, path))
    .sort();
}

/** A file's bytes; what is in one of brotli, whose encoder differs from release to release. */
function read(path) {
  const bytes = readFileSync(path);
  return path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes;
}

const built = mkdtempSync(join(tmpdir(), 'docket-dist-'));
const faults = [];
try {
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', built, '--emptyOutDir', '--logLevel', 'error'], { cwd: root, stdio: 'inherit' });
  const before = files(committed);
  const after = files(built);
  for (const name of before.filter((one) => !after.includes(one))) faults.push(`${name}: in dist, not in the build`);
  for (const name of after) {
    const fresh = read(join(built, name));
    if (!before.includes(name)) faults.push(`${name}: in the build, not in dist`);
    else if (!fresh.equals(read(join(committed, name)))) faults.push(`${name}: differs`);
    const size = gzipSync(fresh, { level: 9 }).length;
    if (size > limit) faults.push(`${name}: ${size} bytes compressed, over ${limit}`);
  }
} finally {
  rmSync(built, { recursive: true, force: true });
}

if (faults.length > 0) {
  console.error(`http/modcp/dist is not right; run "npm ci && npm run build" in http/modcp and commit it:\n  ${faults.join('\n  ')}`);
  process.exit(1);
}
console.log('http/modcp/dist is what its sources build');

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** Screens whose code is asked for beside the entry's, by what the address begins with; see boot.js. */
const screens = [
  ['/sign-in', 'src/account/SignIn.tsx'],
  ['/modcp/reports/', 'src/report/ReportPage.tsx'],
  ['/modcp/cases/', 'src/cases/CasePage.tsx'],
  ['/modcp/cases', 'src/cases/Cases.tsx'],
];

/** Bytes below which brotli saves nothing worth having. */
const compressFrom = 1_000;

/**
 * Tells boot.js which files a screen needs beside the entry's, so that a first visit asks for all
 * of them at once, and adds a file compressed by brotli beside each large one, for the server.
 */
export function firstVisit() {
  let needed;
  return {
    name: 'first-visit',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = new Map(Object.values(bundle).filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
      const all = [...chunks.values()];
      const withImports = (chunk, into = new Map()) => {
        // A file that was of styles alone is in none of them.
        if (chunk !== undefined && !into.has(chunk.fileName)) {
          into.set(chunk.fileName, chunk);
          for (const name of chunk.imports) withImports(chunks.get(name), into);
        }
        return into;
      };
      const holding = (module) => all.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`))) ?? this.error(`no file of the build holds ${module}`);
      const entry = withImports(holding('src/main.tsx'));
      needed = screens.map(([path, module]) => {
        const others = [...withImports(holding(module)).values()].filter(({ fileName }) => !entry.has(fileName));
        return [path, [...new Set(others.flatMap((one) => [one.fileName, ...(one.viteMetadata?.importedCss ?? [])]))].sort()];
      });
    },
    writeBundle({ dir }) {
      const boot = readFileSync(join(dir, 'boot.js'), 'utf8');
      const filled = boot.replace('var screens = [];', () => `var screens = ${JSON.stringify(needed)};`);
      if (filled === boot) this.error('boot.js has no place for the files of the screens');
      writeFileSync(join(dir, 'boot.js'), filled);
      for (const name of readdirSync(dir, { recursive: true })) {
        const path = join(dir, name);
        if (!statSync(path).isFile() || name.endsWith('.br')) continue;
        const plain = readFileSync(path);
        if (plain.length >= compressFrom) writeFileSync(`${path}.br`, brotliCompressSync(plain));
      }
    },
  };
}

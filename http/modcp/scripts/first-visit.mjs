import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const frame = 'src/app/ModShell.tsx';

const core = '/api/@platform/core';
/** What every list of a moderator reads. */
const lists = ['users/permissions', 'moderation/target-types', 'moderation/scopes'];

/**
 * Screens whose code and words are asked for beside the entry's, by what the address begins with, and what
 * preload reads for them where the address has no filters; see boot.js.
 */
const screens = [
  ['/sign-in', ['src/account/SignIn.tsx'], []],
  ['/modcp/reports/', [frame, 'src/report/ReportPage.tsx'], ['moderation']],
  ['/modcp/reports', [frame, 'src/board/Board.tsx'], ['moderation'], ['moderation/reports?status=new&first=25', 'moderation/reports/counts', ...lists]],
  ['/modcp/cases/', [frame, 'src/cases/CasePage.tsx'], ['moderation']],
  ['/modcp/cases', [frame, 'src/cases/Cases.tsx'], ['moderation'], ['moderation/cases?first=25', ...lists]],
  ['/modcp', [frame], ['moderation']],
  ['/account', [frame], ['moderation']],
  ['/admin', [frame, 'src/admin/AdminLayout.tsx'], ['moderation', 'administration']],
];

const languages = ['en', 'ar'];

/** Bytes below which brotli saves nothing worth having. */
const compressFrom = 1_000;

/**
 * Writes boot.js into the page and tells it which files a screen needs beside the entry's, so that a first visit asks for all
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
      // The file that stands for a module, if that is another than the one that holds it.
      const holding = (module) => {
        const isIt = (id) => id?.endsWith(`/${module}`);
        return all.find(({ facadeModuleId }) => isIt(facadeModuleId)) ?? all.find(({ moduleIds }) => moduleIds.some(isIt)) ?? this.error(`no file of the build holds ${module}`);
      };
      const entry = withImports(holding('src/main.tsx'));
      const filesOf = (modules) => {
        const all = new Map();
        for (const module of modules) withImports(holding(module), all);
        const others = [...all.values()].filter(({ fileName }) => !entry.has(fileName));
        return [...new Set(others.flatMap((one) => [one.fileName, ...(one.viteMetadata?.importedCss ?? [])]))].sort();
      };
      needed = screens.map(([path, modules, words, reads = []]) => {
        const inLanguage = (language) => filesOf([...(language === 'en' ? [] : ['first']), ...words].map((part) => `src/i18n/${language}/${part}.ts`));
        return [path, filesOf(modules), Object.fromEntries(languages.map((language) => [language, inLanguage(language)])), reads.map((read) => `${core}/${read}`)];
      });
    },
    // What index.html shows at first has its style in it, and does not wait for the panel's: see main.tsx. Scripts come
    // after what they show.
    transformIndexHtml: { order: 'post', handler: (html) => html.replace('<link rel="stylesheet"', '<link id="styles" rel="preload" as="style"').replaceAll('<script type="module"', '<script type="module" fetchpriority="low"') },
    writeBundle({ dir }) {
      const boot = join(dir, 'boot.js');
      const page = join(dir, 'index.html');
      const plain = readFileSync(boot, 'utf8').replaceAll(/^ *\/\/.*\n/gm, '');
      const filled = plain.replace('var screens = [];', () => `var screens = ${JSON.stringify(needed)};`);
      if (filled === plain) this.error('boot.js has no place for the files of the screens');
      // In the page itself it costs no round trip; the server allows it by its hash.
      const html = readFileSync(page, 'utf8');
      const inline = html.replace('<script src="/boot.js"></script>', () => `<script>${filled}</script>`);
      if (inline === html) this.error('index.html has no place for boot.js');
      writeFileSync(page, inline);
      rmSync(boot);
      for (const name of readdirSync(dir, { recursive: true })) {
        const path = join(dir, name);
        if (!statSync(path).isFile() || name.endsWith('.br')) continue;
        const plain = readFileSync(path);
        if (plain.length >= compressFrom) writeFileSync(`${path}.br`, brotliCompressSync(plain));
      }
    },
  };
}

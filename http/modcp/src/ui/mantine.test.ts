import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const sources = resolve(import.meta.dirname, '..');
const styles = resolve(sources, '../node_modules/@mantine/core/styles');

/** The components that a file uses and whose styles it does not import itself. */
function needs(name: string): string[] {
  const text = readFileSync(join(sources, name), 'utf8');
  const imported = [...text.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].flatMap((found) => found[1]!.split(',').map((one) => one.trim()));
  // The styles of <Radio.Card> are called RadioCard.
  const parts = [...text.matchAll(/<([A-Z]\w+)\.([A-Z]\w+)/g)].map((found) => found[1]! + found[2]!);
  return [...imported, ...parts].filter((one) => existsSync(join(styles, `${one}.css`)) && !text.includes(`import '@mantine/core/styles/${one}.css'`));
}

test('every Mantine component in use brings its styles', () => {
  const loaded = readFileSync(resolve(sources, 'ui/mantine.css'), 'utf8');
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const used = files.flatMap(needs);
  expect(used).toContain('Button');
  expect(used.filter((name) => !loaded.includes(`/${name}.css`))).toEqual([]);
});

// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const sources = resolve(import.meta.dirname, '..');
const styles = resolve(sources, '../node_modules/@mantine/core/styles');

function usedComponents(): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const names = files.flatMap((name) => {
    const text = readFileSync(join(sources, name), 'utf8');
    const imported = [...text.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].flatMap((found) => found[1]!.split(',').map((one) => one.trim()));
    // The styles of <Radio.Card> are called RadioCard.
    const parts = [...text.matchAll(/<([A-Z]\w+)\.([A-Z]\w+)/g)].map((found) => found[1]! + found[2]!);
    return [...imported, ...parts];
  });
  return [...new Set(names)].filter((name) => existsSync(join(styles, `${name}.css`)));
}

test('every Mantine component in use brings its styles', () => {
  const loaded = readFileSync(resolve(sources, 'ui/mantine.css'), 'utf8');
  const used = usedComponents();
  expect(used).toEqual(expect.arrayContaining(['Button', 'RadioCard']));
  expect(used.filter((name) => !loaded.includes(`/${name}.css`))).toEqual([]);
});

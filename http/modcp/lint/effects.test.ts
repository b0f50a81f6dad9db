import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const panel = resolve(import.meta.dirname, '..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(panel, 'lint/.test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The rules that a component with this effect breaks, as `make lint` reports them. */
function broken(effect: string): string[] {
  const file = join(folder, 'Screen.tsx');
  const code = ["import { useEffect, useRef } from 'react';", 'const add = (f: () => void) => f;', 'export function Screen({ pathname, filters }: { pathname: string; filters: { status: string } }) {']
    .concat('const nav = useRef<HTMLElement>(null); const current = useRef<HTMLAnchorElement>(null);', effect, 'return <nav ref={nav}><a ref={current} href={filters.status}>{pathname}</a></nav>; }');
  writeFileSync(file, code.join('\n'));
  try {
    execFileSync(join(panel, 'node_modules/.bin/oxlint'), ['--config', join(panel, '.oxlintrc.json'), '-f', 'unix', file], { cwd: panel, encoding: 'utf8' });
    return [];
  } catch (error) {
    return Array.from((error as { stdout: string }).stdout.matchAll(/\[Error\/([^\]]+)\]/g), (match) => match[1]!);
  }
}

describe('an effect', () => {
  it.each([
    // As they stood when browsers began to answer scrollIntoView with a promise.
    ['the tabs', `useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [filters.status]);`],
    ['the menu', `useEffect(() => nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' }), [pathname]);`],
    ['a call that may return anything', 'useEffect(() => add(() => {}), [pathname]);'],
  ])('does not return the value of an expression: %s', (_, effect) => {
    expect(broken(effect)).toContain('effects(cleanup-only)');
  });

  it.each([
    ['a body in braces', 'useEffect(() => { nav.current?.scrollIntoView(); }, [pathname]);'],
    ['a clean-up written there', 'useEffect(() => () => { nav.current = null; }, []);'],
    ['a clean-up that is returned by word', 'useEffect(() => { return add(() => {}); }, []);'],
  ])('may have %s', (_, effect) => {
    expect(broken(effect)).not.toContain('effects(cleanup-only)');
  });

  it('names what it depends on', () => {
    expect(broken('const word = location.hash; useEffect(() => { document.title = word; }, []);')).toContain('react-hooks(exhaustive-deps)');
  });

  it('is not called in a branch', () => {
    expect(broken('if (pathname) useEffect(() => {}, []);')).toContain('react-hooks(rules-of-hooks)');
  });
});

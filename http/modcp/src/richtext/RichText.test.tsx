// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { I18nProvider } from '../i18n/I18n';
import { loadLanguage } from '../i18n/language';
import { words } from './document';
import { RichText } from './RichText';

beforeAll(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { headers: { 'Content-Type': 'application/json' } })));
});

afterEach(() => {
  document.body.replaceChildren();
});

async function show(content: unknown): Promise<HTMLElement> {
  const host = document.createElement('div');
  document.body.append(host);
  const language = await loadLanguage('en');
  await act(async () => {
    createRoot(host).render(
      <MantineProvider>
        <QueryClientProvider client={new QueryClient()}>
          <I18nProvider initial={language}>
            <RichText doc={{ type: 'doc', content }} />
          </I18nProvider>
        </QueryClientProvider>
      </MantineProvider>,
    );
  });
  return host.querySelector<HTMLElement>('[dir="auto"]')!;
}

const text = (value: string, ...marks: unknown[]) => ({ type: 'text', text: value, marks });
const link = (href: unknown) => ({ type: 'link', attrs: { href, onclick: 'alert(1)', target: '_top' } });

describe('rich text', () => {
  it('shows the marks and blocks of the allowlist', async () => {
    const shown = await show([
      { type: 'heading', attrs: { level: 1 }, content: [text('Title')] },
      { type: 'paragraph', content: [text('a', { type: 'bold' }, { type: 'italic' }), { type: 'hardBreak' }, text('x', { type: 'superscript' })] },
      { type: 'orderedList', attrs: { start: 3 }, content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [text('three')] }] }] },
    ]);
    expect(shown.innerHTML).toBe('<h3>Title</h3><p><strong><em>a</em></strong><br><sup>x</sup></p><ol start="3"><li><p>three</p></li></ol>');
  });

  it.each([
    ['an unknown node gives its children', [{ type: 'script', content: [text('alert(1)')] }], 'alert(1)'],
    ['a name from the prototype is unknown', [{ type: 'constructor', content: [text('a', { type: 'toString' })] }], 'a'],
    ['an unknown mark is dropped', [text('a', { type: 'highlight' })], 'a'],
    ['markup in text is text', [text('<img src=x onerror=alert(1)>')], '&lt;img src=x onerror=alert(1)&gt;'],
    ['a script link is its words', [text('click', link('javascript:alert(1)'))], 'click'],
    ['a data image is its words', [{ type: 'image', attrs: { src: 'data:image/svg+xml,x', alt: 'cat' } }], '<span>cat</span>'],
    ['what is no node at all is nothing', [null, 7, 'x', { content: 'y' }], ''],
  ])('%s', async (_name, content, expected) => {
    expect((await show(content)).innerHTML).toBe(expected);
  });

  it('keeps a link’s address and nothing else it came with', async () => {
    const anchor = (await show([text('go', link('https://example.org/'))])).querySelector('a')!;
    expect(anchor.getAttributeNames().sort()).toEqual(['href', 'rel', 'target']);
    expect(anchor.rel).toBe('noopener noreferrer nofollow');
  });

  it('fetches a picture on request only, and tells its address', async () => {
    const shown = await show([{ type: 'image', attrs: { src: 'https://example.org/a.png', alt: 'cat' } }]);
    expect(shown.querySelector('img')).toBeNull();
    expect(shown.querySelector('button')).not.toBeNull();
    expect(shown.textContent).toContain('example.org/a.png');
  });

  it('survives nesting beyond all measure', async () => {
    let deep: unknown = text('deep');
    for (let i = 0; i < 5000; i++) deep = { type: 'blockquote', content: [deep] };
    expect((await show([deep])).textContent).toBe('deep');
  });
});

describe('words', () => {
  it('gives each block a line', () => {
    const doc = { type: 'doc', content: [{ type: 'paragraph', content: [text('a'), text('b')] }, { type: 'paragraph', content: [text('c')] }] };
    expect(words(doc)).toBe('ab\nc');
  });
});

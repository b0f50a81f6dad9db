import { describe, expect, it } from 'vitest';
import type { Snapshot, SnapshotField } from '../../api/types';
import { contentChanges } from './contentChanges';

const doc = (text: string) => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] });
const linked = (href: string) => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'shop', marks: [{ type: 'link', attrs: { href } }] }] }] });
const pictured = (src: string) => ({ type: 'doc', content: [{ type: 'image', attrs: { src, alt: 'cat' } }] });
const file = (id: string) => ({ id, name: 'a.png', mimeType: 'image/png', size: 7, url: 'https://a.test' });

function snapshot(fields: Partial<SnapshotField>[], truncated = false): Snapshot {
  return {
    version: 1,
    capturedAt: '2026-01-01T00:00:00Z',
    target: { pluginId: 'forum', type: 'forum.post', id: '1' },
    title: 'T',
    fields: fields.map((field) => ({ name: 'body', label: '', kind: 'text', value: '', ...field })),
    locale: { requested: 'en', served: 'en', fallback: false },
    source: { version: null, updatedAt: null, publishedAt: null },
    authors: [],
    scope: null,
    url: '',
    truncated,
  };
}

describe('content that changed after its report', () => {
  it.each([
    ['other words', snapshot([{ value: 'old words' }]), { body: 'new words' }, [{ name: 'body', before: 'old words', after: 'new words' }]],
    ['rich text is compared by its words', snapshot([{ kind: 'richText', value: doc('a b') }]), { body: doc('a c') }, [{ name: 'body', before: 'a b', after: 'a c' }]],
    ['rich text that fell back to plain text is the same', snapshot([{ value: 'a b' }]), { body: doc('a b') }, []],
    ['fields may be wrapped', snapshot([{ value: 'a' }]), { id: '1', fields: { body: 'b' } }, [{ name: 'body', before: 'a', after: 'b' }]],
    ['white space alone is no change', snapshot([{ value: 'a  b\n' }]), { body: 'a b' }, []],
    ['a field that is not public tells nothing', snapshot([{ value: 'a' }]), {}, []],
    ['a link that leads elsewhere', snapshot([{ kind: 'richText', value: linked('https://a.test/') }]), { body: linked('https://b.test/') }, [{ name: 'body', before: 'shop ⟨https://a.test/⟩', after: 'shop ⟨https://b.test/⟩' }]],
    ['a picture that was exchanged', snapshot([{ kind: 'richText', value: pictured('https://a.test/1.png') }]), { body: pictured('https://a.test/2.png') }, [{ name: 'body', before: '▣ cat ⟨https://a.test/1.png⟩', after: '▣ cat ⟨https://a.test/2.png⟩' }]],
    ['a picture that was removed', snapshot([{ kind: 'richText', value: pictured('https://a.test/1.png') }]), { body: { type: 'doc', content: [] } }, [{ name: 'body', before: '▣ cat ⟨https://a.test/1.png⟩', after: '' }]],
    ['a file that was exchanged', snapshot([{ kind: 'file', value: file('1') }]), { body: [file('2')] }, [{ name: 'body', before: '▣ a.png (image/png, 7) ⟨1⟩', after: '▣ a.png (image/png, 7) ⟨2⟩' }]],
    ['a file that was removed', snapshot([{ kind: 'file', value: file('1') }]), { body: null }, [{ name: 'body', before: '▣ a.png (image/png, 7) ⟨1⟩', after: '' }]],
    ['the same file at another address is no change', snapshot([{ kind: 'file', value: file('1') }]), { body: { ...file('1'), url: 'https://b.test' } }, []],
    ['a cut snapshot whose text continues is no change', snapshot([{ value: 'begin' }], true), { body: 'beginning' }, []],
  ])('%s', (_name, before, now, expected) => {
    expect(contentChanges(before, now)).toEqual(expected);
  });
});

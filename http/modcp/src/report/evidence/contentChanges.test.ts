import { describe, expect, it } from 'vitest';
import type { Snapshot, SnapshotField } from '../../api/types';
import { contentChanges } from './contentChanges';

const doc = (text: string) => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] });

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
    ['a file has no words', snapshot([{ kind: 'file', value: { id: '1' } }]), { body: null }, []],
    ['a cut snapshot whose text continues is no change', snapshot([{ value: 'begin' }], true), { body: 'beginning' }, []],
  ])('%s', (_name, before, now, expected) => {
    expect(contentChanges(before, now)).toEqual(expected);
  });
});

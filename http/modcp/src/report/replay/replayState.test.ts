import { describe, expect, it } from 'vitest';
import { readState } from './replayState';

const answer = {
  id: 'r', sequence: 4, at: '2026-01-02T10:00:00Z', status: 'in_progress', version: 2, assignee: { id: 'u', name: 'Mo' }, resolution: null, explanation: null,
  notes: [
    { id: 'n', author: { id: 'u', name: 'Mo' }, body: 'words', kind: 'text', createdAt: '2026-01-02T09:00:00Z', editedAt: null, deletedAt: null },
    { id: 'm', author: null, body: null, kind: 'text', createdAt: '2026-01-02T09:30:00Z', editedAt: null, deletedAt: null, withheld: true },
  ],
};

describe('a report as it stood', () => {
  it('is read from the answer of a replay', () => {
    expect(readState(answer)).toEqual({
      sequence: 4, at: '2026-01-02T10:00:00Z', status: 'in_progress', version: 2, assignee: 'Mo', resolution: null, explanation: null, decision: null, measures: [],
      notes: [
        { id: 'n', author: { id: 'u', name: 'Mo' }, body: 'words', deletedAt: null, withheld: false },
        { id: 'm', author: null, body: null, deletedAt: null, withheld: true },
      ],
    });
  });

  it.each([
    ['an assignee without an account', { ...answer, assignee: null }, { assignee: null }],
    ['a decision', { ...answer, status: 'done', resolution: 'duplicate', explanation: 'twice' }, { status: 'done', resolution: 'duplicate', explanation: 'twice' }],
    ['a rule and reasons', { ...answer, decision: { policy: { key: 'spam', version: 2 }, reasons: 'Why.' } }, { decision: { policy: { key: 'spam', version: 2 }, reasons: 'Why.' } }],
    ['the measures that stood', { ...answer, measures: [{ kind: 'warn', endedAt: null }, { kind: 'suspend', endedAt: '2026-01-02T09:30:00Z' }] }, { measures: [{ kind: 'warn' }] }],
    ['a decision without them', { ...answer, decision: { policy: null, reasons: null } }, { decision: null }],
    ['an unknown status and resolution', { ...answer, status: 'later', resolution: 'maybe' }, { status: 'new', resolution: null }],
    ['an answer that tells nothing', {}, { sequence: 0, at: '', version: 0, notes: [] }],
  ])('%s', (_name, given, expected) => {
    expect(readState(given)).toMatchObject(expected);
  });
});

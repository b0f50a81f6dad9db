import { expect, it } from 'vitest';
import { asOneHistory, type HistoryEntry } from './useHistory';

const at = (id: string, occurredAt: string, sequence: number) => ({ entry: { id, occurredAt, sequence }, of: {} }) as HistoryEntry;

it('a timeline that is read from both ends shows each entry once, newest first', () => {
  const entries = [at('1', '2026-01-01', 1), at('2', '2026-01-02', 2), at('other', '2026-01-02', 7), at('2', '2026-01-02', 2), at('3', '2026-01-03', 3)];
  expect(asOneHistory(entries).map(({ entry }) => entry.id)).toEqual(['3', 'other', '2', '1']);
});

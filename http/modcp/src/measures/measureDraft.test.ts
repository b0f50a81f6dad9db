import { describe, expect, it } from 'vitest';
import type { Proposal } from '../api/measures';
import { measureKinds, type MeasureKind } from '../api/types';
import { faultOf, linesOf, proposalKey, requestsOf, type MeasureDraft } from './measureDraft';

const now = Date.parse('2026-01-01T12:00:00Z');
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();
const proposal = (id: string, measure: Proposal['measure'], kinds: MeasureKind[] = [...measureKinds]): Proposal => ({ author: { pluginId: 'forum', id, name: id }, strikes: 0, after: 2, measure, kinds });
const week = proposal('ann', { kind: 'suspend', until: inDays(7) });
const imposed = (draft: MeasureDraft, proposals = [week]) => requestsOf(linesOf(draft, 'spam', proposals, now), now);

describe('the measures of a decision', () => {
  it('are what the ladder proposes, to the second', () => {
    expect(imposed({})).toEqual([{ authorId: 'ann', kind: 'suspend', until: inDays(7) }]);
    expect(imposed({}, [week, proposal('ben', { kind: 'warn', until: null }), proposal('cem', null)])).toHaveLength(2);
  });

  it('are not what the user may not impose', () => expect(imposed({}, [proposal('ann', week.measure, ['warn', 'restrict'])])).toEqual([]));

  it('are what the moderator chose instead, for that rule alone', () => {
    const key = proposalKey('spam', 'ann');
    expect(imposed({ instead: { [key]: null } })).toEqual([]);
    expect(imposed({ instead: { [key]: { authorId: 'ann', kind: 'restrict', days: 3 } } })).toEqual([{ authorId: 'ann', kind: 'restrict', until: inDays(3) }]);
    expect(imposed({ instead: { [proposalKey('rude', 'ann')]: null } })).toHaveLength(1);
  });

  it('are those beside the ladder, too', () => {
    const given = [{ authorId: 'ann', kind: 'warn' as const, days: 3 }, { authorId: 'ben', kind: 'restrict' as const, days: null }];
    expect(imposed({ given })).toEqual([expect.anything(), { authorId: 'ann', kind: 'warn', until: null }, { authorId: 'ben', kind: 'restrict', until: null }]);
  });

  it.each([
    ['as the ladder has it', { kind: 'warn' as const, days: null }, null],
    ['of a kind that the author has by the ladder', { kind: 'suspend' as const, days: 1 }, 'twice'],
    ['until a day that is over ten years away', { kind: 'restrict' as const, days: null, date: '2036-02-01' }, 'date'],
    ['until a day that is over', { kind: 'restrict' as const, days: null, date: '2025-12-01' }, 'date'],
    ['until no day', { kind: 'restrict' as const, days: null, date: '' }, 'date'],
    ['until tomorrow', { kind: 'restrict' as const, days: null, date: '2026-01-02' }, null],
  ])('one %s', (_name, line, fault) => {
    const lines = linesOf({ given: [{ authorId: 'ann', ...line }] }, 'spam', [week], now);
    expect(faultOf(lines[1]!, lines, now)).toBe(fault);
  });

  it('is imposed twice unless the first is left out', () => {
    const draft: MeasureDraft = { given: [{ authorId: 'ann', kind: 'suspend', days: 1 }], instead: { [proposalKey('spam', 'ann')]: null } };
    const lines = linesOf(draft, 'spam', [week], now);
    expect(faultOf(lines[1]!, lines, now)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { Report, TimelineEntry } from '../api/types';
import { appealedDecision } from './appealedDecision';

const entry = (sequence: number, type: TimelineEntry['type'], data: TimelineEntry['data']): TimelineEntry => ({
  id: String(sequence), sequence, type, actor: { id: 'm', name: 'Mo' }, version: sequence, occurredAt: `2026-01-0${sequence}T00:00:00Z`, data,
});
const timeline = [
  entry(1, 'created', {}),
  entry(2, 'resolved', { resolution: 'action_taken', policy: { key: 'spam', version: 1 }, reasons: 'Why.', explanation: null }),
  entry(3, 'appealed', { appealId: 'a' }),
  entry(4, 'appeal_decided', { appealId: 'a', outcome: 'overturned' }),
  entry(5, 'resolved', { resolution: 'no_violation' }),
];
const present = { policy: null, reasons: null, decidedAt: '2026-01-05T00:00:00Z', appealableUntil: '2026-07-05T00:00:00Z', actions: [] };
const report = (edges: TimelineEntry[]) => ({ resolver: null, resolution: 'no_violation', explanation: null, decision: present, timeline: { edges } }) as unknown as Report;

describe('the decision that an appeal is against', () => {
  it('is the present one while the appeal is open', () => {
    expect(appealedDecision({ id: 'a', status: 'open', report: report(timeline) })).toMatchObject({ decidedAt: present.decidedAt, resolution: 'no_violation', appealableUntil: null });
  });

  it('is the one before the appeal once it was replaced, in any order of the timeline', () => {
    expect(appealedDecision({ id: 'a', status: 'overturned', report: report(timeline.toReversed()) })).toMatchObject({
      resolution: 'action_taken', policy: { key: 'spam', version: 1 }, reasons: 'Why.', by: { name: 'Mo' }, decidedAt: '2026-01-02T00:00:00Z',
    });
  });

  it('is unknown where the timeline does not reach back to it', () => {
    expect(appealedDecision({ id: 'a', status: 'upheld', report: report(timeline.slice(3)) })).toBeNull();
  });
});

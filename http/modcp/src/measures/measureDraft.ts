import type { Proposal } from '../api/measures';
import type { MeasureKind, MeasureRequest } from '../api/types';

/** A measure that a moderator writes: for a number of days, until a day, or without an end. */
export interface MeasureLine {
  authorId: string;
  kind: MeasureKind;
  days: number | null;
  /** The last day, as `2026-01-31`; it comes before the number of days. */
  date?: string;
}

/** What a moderator decided about measures while the decision is written. */
export interface MeasureDraft {
  /** What replaces the ladder's proposals, by `proposalKey`; null where nothing does. */
  instead?: Record<string, MeasureLine | null>;
  /** Those beside the proposals. */
  given?: MeasureLine[];
}

/** A measure of the form; that of the ladder can be left out. */
export interface ShownLine extends MeasureLine {
  /** What the ladder proposes for the author; null for a measure beside it. */
  proposal: Proposal | null;
  ticked: boolean;
  /** When it ends if it is as the ladder proposes. */
  until?: string | null;
}

export const maxMeasures = 10;
const maxDays = 3650;
const day = 86_400_000;

/** Reports whether a measure of the kind may have an end. */
export const timed = (kind: MeasureKind) => kind === 'restrict' || kind === 'suspend';

/** A change of a proposal holds for the rule that it was made for. */
export const proposalKey = (policy: string, authorId: string) => `${policy}/${authorId}`;

/** The whole days from a time until an end. */
export const daysUntil = (until: string, now: number) => Math.max(1, Math.round((Date.parse(until) - now) / day));

/** The measures of the form: what the ladder proposes and the user may impose, as it was changed, then those beside it. */
export function linesOf({ instead = {}, given = [] }: MeasureDraft, policy: string, proposals: readonly Proposal[], now: number): ShownLine[] {
  const proposed = proposals.flatMap((proposal): ShownLine[] => {
    const { measure, author } = proposal;
    if (measure === null || !proposal.kinds.includes(measure.kind)) return [];
    const change = instead[proposalKey(policy, author.id)];
    const own = { authorId: author.id, kind: measure.kind, days: measure.until === null ? null : daysUntil(measure.until, now), proposal };
    if (change === null) return [{ ...own, ticked: false }];
    return [change === undefined ? { ...own, ticked: true, until: measure.until } : { ...change, proposal, ticked: true }];
  });
  return [...proposed, ...given.map((line) => ({ ...line, proposal: null, ticked: true }))];
}

/** The last second of a day where the user is; NaN without a day. */
const endOfDay = (date: string) => Date.parse(`${date}T23:59:59`);

/** When a line ends; null without an end. */
export function untilOf({ kind, days, date, until }: MeasureLine & { until?: string | null }, now: number): string | null {
  if (!timed(kind)) return null;
  if (until !== undefined) return until;
  if (date !== undefined) return new Date(endOfDay(date)).toISOString();
  return days === null ? null : new Date(now + days * day).toISOString();
}

export const requestsOf = (lines: readonly ShownLine[], now: number): MeasureRequest[] =>
  lines.filter(({ ticked }) => ticked).map((line) => ({ authorId: line.authorId, kind: line.kind, until: untilOf(line, now) }));

export type LineFault = 'twice' | 'date';

/** What keeps a line from being imposed; null where nothing does. */
export function faultOf(line: ShownLine, all: readonly ShownLine[], now: number): LineFault | null {
  if (!line.ticked) return null;
  if (all.slice(0, all.indexOf(line)).some((other) => other.ticked && other.authorId === line.authorId && other.kind === line.kind)) return 'twice';
  if (!timed(line.kind) || line.date === undefined) return null;
  const at = endOfDay(line.date);
  return at > now && at <= now + maxDays * day ? null : 'date';
}

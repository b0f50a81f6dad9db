import type { Decision } from '../api/reports';
import { words } from '../richtext/RichText';
import { length } from '../ui/limits';

/** Characters of plain text that a statement to an author may have. */
export const reasonsLimit = 10_000;

/** Reports whether the statement to the author fits, which it does where there is none. */
export const reasonsFit = (decision: Pick<Decision, 'reasons'>): boolean => decision.reasons == null || length(words(decision.reasons)) <= reasonsLimit;

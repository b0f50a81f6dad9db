import type { Decision } from '../api/reports';
import { words } from '../richtext/document';
import { length, reasonsLimit } from '../ui/limits';

/** Reports whether the statement to the author fits, which it does where there is none. */
export const reasonsFit = (decision: Pick<Decision, 'reasons'>): boolean => decision.reasons == null || length(words(decision.reasons)) <= reasonsLimit;

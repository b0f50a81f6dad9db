import type { Messages } from '../messages';
import { administration } from './administration';
import { first } from './first';
import { moderation } from './moderation';

/** All that the panel says, which no screen loads at once. */
export const ar: Messages = { ...first, ...moderation, ...administration };

import { administration } from './administration';
import { first } from './first';
import { moderation } from './moderation';

/** All that the panel says, which no screen loads at once. */
export const en = { ...first, ...moderation, ...administration };

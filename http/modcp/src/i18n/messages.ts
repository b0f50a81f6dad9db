import type { administration } from './en/administration';
import type { first } from './en/first';
import type { moderation } from './en/moderation';

export type MessageKey = keyof typeof first | keyof typeof moderation | keyof typeof administration;
export type Messages = Record<MessageKey, string>;

import type { Messages } from '../locales';

export const ar = {} as Messages;

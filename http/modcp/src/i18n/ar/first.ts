import { account } from './account';
import { common } from './common';
import { demo } from './demo';
import { factors } from './factors';

/** What sign-in and the frame of every screen say. */
export const first = { ...common, ...account, ...factors, ...demo };

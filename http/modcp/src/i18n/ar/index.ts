import type { Messages } from '../locales';
import { admin } from './admin';
import { board } from './board';
import { common } from './common';
import { demo } from './demo';
import { report } from './report';

export const ar: Messages = { ...common, ...board, ...report, ...admin, ...demo };

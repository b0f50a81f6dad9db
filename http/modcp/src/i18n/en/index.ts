import { account } from './account';
import { admin } from './admin';
import { backtests } from './backtests';
import { board } from './board';
import { cases } from './cases';
import { common } from './common';
import { decisions } from './decisions';
import { demo } from './demo';
import { factors } from './factors';
import { platforms } from './platforms';
import { measures } from './measures';
import { policies } from './policies';
import { report } from './report';
import { similar } from './similar';
import { statements } from './statements';
import { system } from './system';
import { work } from './work';

export const en = { ...common, ...board, ...cases, ...report, ...similar, ...admin, ...demo, ...system, ...policies, ...measures, ...decisions, ...account, ...work, ...platforms, ...backtests, ...statements, ...factors };

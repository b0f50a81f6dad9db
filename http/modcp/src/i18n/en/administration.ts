import { admin } from './admin';
import { backtests } from './backtests';
import { holds } from './holds';
import { platforms } from './platforms';
import { rules } from './rules';
import { statements } from './statements';
import { system } from './system';
import { transparency } from './transparency';

/** What screens for administrators say, and figures. */
export const administration = { ...admin, ...system, ...platforms, ...backtests, ...statements, ...transparency, ...rules, ...holds };

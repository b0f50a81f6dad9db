import { board } from './board';
import { cases } from './cases';
import { decisions } from './decisions';
import { escalation } from './escalation';
import { held } from './held';
import { measures } from './measures';
import { notices } from './notices';
import { policies } from './policies';
import { report } from './report';
import { seconds } from './seconds';
import { similar } from './similar';
import { work } from './work';

/** What screens for moderators and members say. */
export const moderation = { ...board, ...cases, ...report, ...similar, ...decisions, ...measures, ...work, ...escalation, ...held, ...seconds, ...notices, ...policies };

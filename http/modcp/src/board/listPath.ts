import { readSetting } from '../storage/settings';

/** The list that a moderator works from: cases, unless they chose reports in this browser. */
export const listPath = () => (readSetting('board') === 'reports' ? '/modcp/reports' : '/modcp/cases');

import { expect, test } from 'vitest';
import { reportIDs } from './reportIDs';

const one = '01a21284-7aa0-7c17-a9d6-8b2b1b0d1c55';
const other = '01a21284-7aa0-7c17-a9d6-8b2b1b0d1c56';

test.each([
  ['an id', one, [one]],
  ['addresses and ids, in lines or not', `https://docket.test/modcp/reports/${one}?x=1\n${other.toUpperCase()}, ${one}`, [one, other]],
  ['nothing of the kind', '42 and more', []],
])('%s', (_, text, ids) => expect(reportIDs(text)).toEqual(ids));

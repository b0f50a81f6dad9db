import { expect, it } from 'vitest';
import { countHolders } from './TeamLine';

const [ada, ben] = [{ id: 'a', name: 'Ada' }, { id: 'b', name: 'Ben' }];

it('counts reports by holder, the busiest first, and leaves out those that nobody holds', () => {
  const rows = [ada, ben, null, ben].map((assignee) => ({ assignee }));
  expect(countHolders(rows)).toEqual([
    { person: ben, count: 2 },
    { person: ada, count: 1 },
  ]);
});

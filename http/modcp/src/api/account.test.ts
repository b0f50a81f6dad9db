import { afterEach, expect, it, vi } from 'vitest';
import { changePassword } from './account';

afterEach(() => vi.unstubAllGlobals());

it.each([true, false])('a change of the password says whether tokens stay: %s', async (keepTokens) => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: unknown, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return new Response(null, { status: 204 });
  });
  await changePassword('current', 'chosen', keepTokens);
  expect(sent).toEqual([{ current: 'current', new: 'chosen', keepTokens }]);
});

import type { Browser, Page } from '@playwright/test';
import { screens, visit } from './support/screens';
import { expect, pageAs, test } from './support/test';

/** Bytes, headers and all, that a first visit may cost, and any one answer. */
const visitLimit = 360_000;
/** What the board is made of, where most visits begin, without the rows that it shows. */
const boardLimit = 230_000;
const answerLimit = 80_000;

for (const screen of screens.filter((one) => one.open === undefined)) {
  test(`a first visit stays light: ${screen.name}`, async ({ browser }) => {
    const sizes = await firstVisit(browser, screen.as, (page) => visit(page, screen));
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(visitLimit);
    if (screen.name === 'board') expect(sizes.filter(([url]) => !url.includes('/api/')).reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(boardLimit);
    expect(sizes.filter(([, size]) => size > answerLimit)).toEqual([]);
  });
}

/** What each answer of a visit with an empty cache took on the wire; the live feed has no end and is left out. */
async function firstVisit(browser: Browser, as: string | null, go: (page: Page) => Promise<void>): Promise<[url: string, size: number][]> {
  const page = await pageAs(browser, as);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const asked = new Map<string, string>();
  const sizes = new Map<string, number>();
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.endsWith('/live')) asked.set(requestId, request.url);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  network.on('Network.loadingFailed', ({ requestId }) => asked.delete(requestId));
  await go(page);
  await expect.poll(() => [...asked.keys()].filter((id) => !sizes.has(id))).toEqual([]);
  return [...asked].map(([id, url]) => [url, sizes.get(id)!]);
}

import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/** What axe finds wrong with the page or what a selector names of it, by these rules or by all. Of a long list it reads the first rows, which are like the rest. */
export async function axeFaults(page: Page, { within, rules }: { within?: string; rules?: string[] } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } }, ...(rules === undefined ? {} : { runOnly: rules }) };
  return page.evaluate(
    async ({ within, options }) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({ include: within ?? 'html', exclude: 'tr:nth-child(n + 13)' }, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`).join(' | ')}`);
    },
    { within, options },
  );
}

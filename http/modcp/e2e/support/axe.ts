import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds wrong with the page or what a selector names of it, by these rules or by all. */
export async function axeFaults(page: Page, { within, rules }: { within?: string; rules?: string[] } = {}): Promise<string[]> {
  // The other mode is for frames of other origins, which the panel has none of, and takes twice as long.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } } });
  if (within !== undefined) axe.include(within);
  if (rules !== undefined) axe.withRules(rules);
  const { violations } = await axe.analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(' | ')}`);
}

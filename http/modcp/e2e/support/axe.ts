import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds wrong with the page. */
export async function axeFaults(page: Page): Promise<string[]> {
  // The other mode is for frames of other origins, which the panel has none of, and takes twice as long.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ rules: { 'label-content-name-mismatch': { enabled: true } } }).analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(' | ')}`);
}

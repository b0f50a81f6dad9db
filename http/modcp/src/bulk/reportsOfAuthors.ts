import type { Report } from '../api/types';

/** On how many authors one order imposes measures. */
const maxAuthors = 20;

/**
 * Of each author the report with which measures go, the last that is open. None where content is of several authors or of nobody
 * known, or where the authors are too many or of several platforms, so that an id would not tell them apart.
 */
export function reportsOfAuthors(reports: readonly Report[]): readonly (Report & { decisions: number })[] {
  const of = new Map<string, Report & { decisions: number }>();
  const plugins = new Set(reports.map(({ target }) => target.pluginId));
  for (const report of reports) {
    const [author, ...more] = report.snapshot?.authors ?? [];
    if (author === undefined || more.length > 0) return [];
    const known = of.get(author.id);
    const last = report.status !== 'done' || known === undefined ? report : known;
    of.set(author.id, { ...last, decisions: (known?.decisions ?? 0) + (report.status === 'done' ? 0 : 1) });
  }
  return plugins.size === 1 && of.size <= maxAuthors ? [...of.values()] : [];
}

import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import type { Page, Report, ReportItem } from '../api/types';

type Moving = Pick<ReportItem, 'status' | 'version' | 'assignee' | 'resolver' | 'resolution' | 'explanation' | 'updatedAt' | 'resolvedAt' | 'noteCount' | 'openReportsOnTarget'>;

function moving(report: Report): Moving {
  const { status, version, assignee, resolver, resolution, explanation, updatedAt, resolvedAt, noteCount, openReportsOnTarget } = report;
  return { status, version, assignee, resolver, resolution, explanation, updatedAt, resolvedAt, noteCount, openReportsOnTarget };
}

/**
 * Writes a report's newest state into every cached list that shows it. Rows keep
 * their places: none moves or disappears because a report changed.
 */
export function storeInLists(client: QueryClient, report: Report): void {
  const change = moving(report);
  client.setQueriesData<Page<ReportItem>>({ queryKey: keys.lists }, (page) => {
    if (page === undefined || !page.edges.some((row) => row.id === report.id && row.version <= report.version)) return page;
    return { ...page, edges: page.edges.map((row) => (row.id === report.id ? { ...row, ...change } : row)) };
  });
  void client.invalidateQueries({ queryKey: keys.allCounts });
}

/** Milliseconds after which the counts include an answered command. */
const figuresLag = 1_500;

/** Writes the answer of a command into the open report and the lists. */
export function storeReport(client: QueryClient, report: Report): void {
  client.setQueryData<Report>(keys.report(report.id), report);
  void client.invalidateQueries({ queryKey: keys.timeline(report.id) });
  storeInLists(client, report);
  setTimeout(() => void client.invalidateQueries({ queryKey: keys.records }), figuresLag);
}

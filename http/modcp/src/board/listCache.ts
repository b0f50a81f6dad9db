import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../api/keys';
import type { Page, Report, ReportItem } from '../api/types';

type Moving = Pick<ReportItem, 'status' | 'version' | 'assignee' | 'resolver' | 'resolution' | 'explanation' | 'updatedAt' | 'resolvedAt' | 'noteCount' | 'openReportsOnTarget'>;

function moving(report: Report): Moving {
  const { status, version, assignee, resolver, resolution, explanation, updatedAt, resolvedAt, noteCount, openReportsOnTarget } = report;
  return { status, version, assignee, resolver, resolution, explanation, updatedAt, resolvedAt, noteCount, openReportsOnTarget };
}

/**
 * Takes a report's newest state into every list that shows it, row by row:
 * rows never jump or vanish under the reader because something changed.
 */
export function takeIntoLists(client: QueryClient, report: Report): void {
  const change = moving(report);
  client.setQueriesData<Page<ReportItem>>({ queryKey: ['reports', 'list'] }, (page) => {
    if (page === undefined || !page.edges.some((row) => row.id === report.id && row.version <= report.version)) return page;
    return { ...page, edges: page.edges.map((row) => (row.id === report.id ? { ...row, ...change } : row)) };
  });
  void client.invalidateQueries({ queryKey: ['reports', 'counts'] });
}

/** Milliseconds until counted figures tell of an answered command too. */
const figuresLag = 1_500;

/** Takes the answer of a command into the open report and into the lists. */
export function takeReport(client: QueryClient, report: Report): void {
  client.setQueryData<Report>(keys.report(report.id), report);
  void client.invalidateQueries({ queryKey: keys.timeline(report.id) });
  takeIntoLists(client, report);
  setTimeout(() => void client.invalidateQueries({ queryKey: keys.records }), figuresLag);
}

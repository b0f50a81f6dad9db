import type { ReportItem } from '../api/types';

/** The open reports on one piece of content, which are decided together. */
export interface TogetherReports {
  rows: ReportItem[];
  total: number;
  /** Where the draft of their decision is kept. */
  draft: string;
  more: (() => void) | null;
  loading: boolean;
}

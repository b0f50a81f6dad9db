import type { PublishedCell } from '../api/transparency';

/** Cells of one subject, such as filings by their reason. */
export interface CellGroup {
  /** The beginning of their names, such as `filings.reason`. */
  name: string;
  cells: { rest: string; value: PublishedCell['value'] }[];
}

/** Groups cells by all but the last part that tells what is counted. Types and keys may hold dots. */
export function groupsOf(cells: readonly PublishedCell[]): CellGroup[] {
  const groups = new Map<string, CellGroup>();
  for (const { name, value } of cells) {
    const [subject = '', by, ...rest] = name.split('.');
    const single = by === undefined || rest.length === 0;
    const group = single ? subject : `${subject}.${by}`;
    const found = groups.get(group) ?? { name: group, cells: [] };
    found.cells.push({ rest: single ? (by ?? '') : rest.join('.'), value });
    groups.set(group, found);
  }
  return [...groups.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** How long a bar is: the middle of what is masked. */
export const sizeOf = (value: PublishedCell['value']): number => (typeof value === 'number' ? value : 2.5);

import type { ReactNode } from 'react';
import classes from './DataTable.module.css';

export interface Column<T> {
  key: string;
  title: string;
  cell: (row: T) => ReactNode;
  /** Numbers and times stand at the end of their column. */
  end?: boolean;
  /** Left out where there is little room. */
  minor?: boolean;
}

/** A plain table that becomes a list of cards on a phone. */
export function DataTable<T>({ label, columns, rows, rowKey }: { label: string; columns: Column<T>[]; rows: T[]; rowKey: (row: T) => string }) {
  return (
    <div className={classes.wrap}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-end={column.end || undefined} data-minor={column.minor || undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.key} data-title={column.title} data-end={column.end || undefined} data-minor={column.minor || undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

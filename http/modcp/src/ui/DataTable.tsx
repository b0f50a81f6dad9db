import { Fragment, type ReactNode } from 'react';
import classes from './DataTable.module.css';

export interface Column<T> {
  key: string;
  title: string;
  cell: (row: T) => ReactNode;
  /** Numbers and times stand at the end of their column. */
  end?: boolean;
  /** Hidden in a narrow table; shown on a card. */
  minor?: boolean;
  /** Buttons: on a card they stand last, without the column's title. */
  actions?: boolean;
}

interface Props<T> {
  label: string;
  /** The first names the row: it is the heading of its card. */
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string;
  /** Content below a row at full width, or null. */
  below?: (row: T) => ReactNode;
}

/** A plain table that becomes a list of cards where there is little room, as on a phone or in a dialog. */
export function DataTable<T>({ label, columns, rows, rowKey, below }: Props<T>) {
  return (
    <div className={classes.wrap}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-end={column.end || column.actions || undefined} data-minor={column.minor || undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const more = below?.(row) ?? null;
            return (
              <Fragment key={rowKey(row)}>
                <tr data-open={more !== null || undefined}>
                  {columns.map((column) => (
                    <td
                      key={column.key}
                      data-title={column.title}
                      data-end={column.end || column.actions || undefined}
                      data-minor={column.minor || undefined}
                      data-actions={column.actions || undefined}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
                {more !== null && (
                  <tr className={classes.below}>
                    <td colSpan={columns.length}>
                      <div>{more}</div>
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

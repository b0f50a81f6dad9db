import { useCallback, useRef } from 'react';
import type { ReportItem } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { stillFits, type BoardFilters } from './filters';
import { ReportRow } from './ReportRow';
import classes from './ReportTable.module.css';
import rowClasses from './RowTable.module.css';

interface Props {
  rows: readonly ReportItem[];
  filters: BoardFilters;
  selected: ReadonlySet<string>;
  setSelected: (selected: ReadonlySet<string>) => void;
}

export function ReportTable({ rows, filters, selected, setSelected }: Props) {
  const { t } = useI18n();
  const self = useUser();
  const last = useRef<string | null>(null);
  const chosen = rows.filter((row) => selected.has(row.id)).length;

  // Stable, so that a change of one row does not render all of them.
  const shown = useRef({ rows, selected });
  shown.current = { rows, selected };
  const select = useCallback((id: string, checked: boolean, range: boolean) => {
    const { rows, selected } = shown.current;
    const next = new Set(selected);
    const from = range ? rows.findIndex((row) => row.id === last.current) : -1;
    const to = rows.findIndex((row) => row.id === id);
    const ids = from === -1 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id);
    for (const one of ids) {
      if (checked) next.add(one);
      else next.delete(one);
    }
    last.current = id;
    setSelected(next);
  }, [setSelected]);

  return (
    <table className={`${rowClasses.table} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col" className={classes.check}>
            <label className={classes.box}>
              <input
                type="checkbox"
                aria-label={t('board.selectAll')}
                checked={chosen > 0 && chosen === rows.length}
                ref={(box) => {
                  if (box !== null) box.indeterminate = chosen > 0 && chosen < rows.length;
                }}
                onChange={(event) => setSelected(event.currentTarget.checked ? new Set(rows.map((row) => row.id)) : new Set())}
              />
              <span className={classes.inWords} aria-hidden="true">{t('board.selectAll')}</span>
            </label>
          </th>
          <th scope="col">{t('board.column.report')}</th>
          <th scope="col" className={classes.reason}>{t('board.column.reason')}</th>
          <th scope="col" className={classes.onTarget}>{t('board.column.onTarget')}</th>
          <th scope="col" className={classes.person}>{t('board.column.reporter')}</th>
          <th scope="col" className={classes.person}>{t('board.column.assignee')}</th>
          <th scope="col" className={classes.age}>{t('board.column.age')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ReportRow
            key={row.id}
            row={row}
            showStatus={filters.status === 'all'}
            left={!stillFits(row, filters, self?.id ?? null)}
            selfId={self?.id ?? null}
            selected={selected.has(row.id)}
            select={select}
          />
        ))}
      </tbody>
    </table>
  );
}

import { Fragment, memo } from 'react';
import { Link, useLocation } from 'react-router';
import type { ReportItem } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Due } from '../ui/Due';
import { Icon } from '../ui/Icon';
import { PersonName } from '../ui/PersonName';
import { FlaggerTag, ReasonTag, ResolutionTag, StatusTag, Tag } from '../ui/Tag';
import { When } from '../ui/When';
import { changeFilters, readFilters, writeFilters } from './filters';
import classes from './ReportTable.module.css';
import { EscalatedMark } from './EscalatedMark';
import { RowAuthor } from './RowAuthor';
import rowClasses from './RowTable.module.css';
import { TagLinks } from './TagLinks';
import { useScopeLabel } from './useTargetTypes';

interface Props {
  row: ReportItem;
  showStatus: boolean;
  /** True when the report has moved on and no longer belongs to this list. */
  left: boolean;
  selfId: string | null;
  selected: boolean;
  select: (id: string, checked: boolean, range: boolean) => void;
}

const many = 3;

export const ReportRow = memo(function ReportRow({ row, showStatus, left, selfId, selected, select }: Props) {
  const { t, label, number } = useI18n();
  const scopeLabel = useScopeLabel();
  const { search } = useLocation();
  const title = row.title === null || row.title === '' ? t('board.untitled') : row.title;
  const scope = scopeLabel(row.target.scope);
  return (
    <tr className={`${rowClasses.row} ${classes.row}`} data-row={row.id} data-left={left || undefined} data-selected={selected || undefined}>
      <td className={classes.check}>
        <label className={classes.box}>
          <input
            type="checkbox"
            aria-label={t('board.select', { title })}
            checked={selected}
            onChange={(event) => select(row.id, event.currentTarget.checked, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        </label>
      </td>
      <td className={classes.report}>
        <span className={classes.line}>
          <Link to={`/modcp/reports/${row.id}${search}`} className={`${rowClasses.title} ${classes.title}`} data-report={row.id} dir="auto">
            {title}
          </Link>
          {(showStatus || left) && <StatusTag status={row.status} />}
          {row.resolution !== null && <ResolutionTag resolution={row.resolution} />}
          {row.source === 'trusted_flagger' && <FlaggerTag />}
          <EscalatedMark escalated={row.escalated} />
          {row.muted && (
            <Tag tone="amber" title={t('reporters.filedMuted')}>
              {t('reporters.tag')}
            </Tag>
          )}
          {row.noteCount > 0 && (
            <span className={classes.notes} title={t('board.notes', { count: row.noteCount })}>
              <Icon name="note" size={14} />
              <span aria-hidden="true">{row.noteCount}</span>
              <span className="visually-hidden">{t('board.notes', { count: row.noteCount })}</span>
            </span>
          )}
        </span>
        <span className={classes.excerpt}>
          <span className={classes.kind}>
            {label(row.target.label)}
            {scope !== '' && <> · <bdi>{scope}</bdi></>}
            {row.authors.map((author) => (
              <Fragment key={author.id}>
                {' · '}
                <RowAuthor pluginId={row.target.pluginId} author={author} />
              </Fragment>
            ))}
            <span className={classes.by}> · <bdi>{row.reporter === null ? t('state.deletedAccount') : t('board.by', { name: row.reporter.name })}</bdi></span>
          </span>
          {left && row.assignee !== null && row.assignee.id !== selfId && row.status !== 'done' ? (
            <strong className={classes.words}>{t('board.takenBy', { name: row.assignee.name })}</strong>
          ) : (
            <span className={classes.words} dir="auto">
              {row.excerpt}
            </span>
          )}
        </span>
        <TagLinks tags={row.tags} to={(tag) => ({ search: writeFilters(changeFilters(readFilters(new URLSearchParams(search)), { tag })).toString() })} />
      </td>
      <td className={classes.reason}>
        <ReasonTag reason={row.reason} />
      </td>
      <td className={classes.onTarget}>
        {row.openReportsOnTarget <= 1 ? (
          <span className={classes.none}>{number(row.openReportsOnTarget)}</span>
        ) : (
          <span className={classes.flags} data-many={row.openReportsOnTarget >= many || undefined} title={t('board.openOnTarget', { count: row.openReportsOnTarget })}>
            <Icon name="flag" size={14} />
            <span className={classes.figure}>{number(row.openReportsOnTarget)}</span>
            <span className={classes.inWords}>{t('board.openCount', { count: row.openReportsOnTarget })}</span>
          </span>
        )}
      </td>
      <td className={classes.person} data-cell="reporter">
        <PersonName person={row.reporter} plain />
      </td>
      <td className={classes.person} data-cell="assignee">
        {row.assignee === null ? (
          <span className={classes.none}>–</span>
        ) : (
          <>
            <span className={classes.inWords}>{t('board.column.assignee')}</span>
            <PersonName person={row.assignee} self={row.assignee.id === selfId} />
          </>
        )}
      </td>
      <td className={classes.age}>
        <When iso={row.createdAt} aged={row.status !== 'done'} short />
        {row.dueAt !== null && row.status !== 'done' && <Due iso={row.dueAt} />}
      </td>
    </tr>
  );
});

import { Link, useLocation } from 'react-router';
import type { Case } from '../api/cases';
import { reasons } from '../api/types';
import { EscalatedMark } from '../board/EscalatedMark';
import { RowAuthor } from '../board/RowAuthor';
import rowClasses from '../board/RowTable.module.css';
import { changeFilters, readFilters, writeFilters } from '../board/filters';
import { TagLinks } from '../board/TagLinks';
import { useScopeLabel } from '../board/useTargetTypes';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { Due } from '../ui/Due';
import { PersonName } from '../ui/PersonName';
import { ReasonTag } from '../ui/Tag';
import { When } from '../ui/When';
import { casePath } from './caseLinks';
import classes from './Cases.module.css';
import { CasePriority, PriorityParts } from './CasePriority';
import { ParkedMark } from './ParkedMark';

export function CaseTable({ rows }: { rows: readonly Case[] }) {
  const { t } = useI18n();
  return (
    <table className={`${rowClasses.table} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col" className={classes.score}>{t('cases.column.priority')}</th>
          <th scope="col">{t('cases.column.content')}</th>
          <th scope="col" className={classes.reasons}>{t('board.column.reason')}</th>
          <th scope="col" className={classes.people}>{t('cases.column.reporters')}</th>
          <th scope="col" className={classes.holders}>{t('board.column.assignee')}</th>
          <th scope="col" className={classes.age}>{t('board.column.age')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <CaseRow key={`${row.target.type}:${row.target.id}`} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function CaseRow({ row }: { row: Case }) {
  const { t, label, number } = useI18n();
  const scopeLabel = useScopeLabel();
  const self = useUser();
  const { search } = useLocation();
  const scope = scopeLabel(row.target.scope);
  const link = casePath(row.target, search);
  const title = row.title === '' ? t('board.untitled') : row.title;
  return (
    <tr className={`${rowClasses.row} ${classes.row}`} data-row={link}>
      <td className={classes.score}>
        <CasePriority of={row} />
      </td>
      <td className={classes.content}>
        <Link to={link} className={`${rowClasses.title} ${classes.title}`} data-case>
          <span className={classes.text} dir="auto">
            {row.excerpt === '' ? title : row.excerpt}
          </span>
          {row.excerpt !== '' && (
            <span className={classes.of} dir="auto">
              {title}
            </span>
          )}
        </Link>
        <span className={classes.excerpt}>
          {row.authors.map((author) => (
            <span key={author.id}>
              <RowAuthor pluginId={row.target.pluginId} author={author} /> ·{' '}
            </span>
          ))}
          {label(row.target.label)}
          {scope !== '' && <> · <bdi>{scope}</bdi></>}
        </span>
        <PriorityParts of={row} />
        <TagLinks tags={row.tags} to={(tag) => ({ search: writeFilters(changeFilters(readFilters(new URLSearchParams(search)), { tag })).toString() })} />
      </td>
      <td className={classes.reasons}>
        {reasons.filter((reason) => (row.reasons[reason] ?? 0) > 0).map((reason) => (
          <span key={reason} className={classes.counted}>
            <ReasonTag reason={reason} /> {(row.reasons[reason] ?? 0) > 1 && <span>× {number(row.reasons[reason]!)}</span>}
          </span>
        ))}
      </td>
      <td className={classes.people}>{t('cases.reporters', { count: row.reporters })}</td>
      <td className={classes.holders} data-empty={row.assignees.length === 0 || undefined}>
        {row.assignees.length === 0 ? '–' : row.assignees.map((person) => <PersonName key={person.id} person={person} self={person.id === self?.id} plain />)}
      </td>
      <td className={classes.age}>
        <When iso={row.firstAt} aged short />
        {row.dueAt !== null && <Due iso={row.dueAt} />}
        <ParkedMark parked={row.parked} />
        <EscalatedMark escalated={row.escalated[0]} />
      </td>
    </tr>
  );
}

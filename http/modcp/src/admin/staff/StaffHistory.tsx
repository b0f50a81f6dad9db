import { useQuery } from '@tanstack/react-query';
import { readStaffHistory, type StaffHistoryEntry, type StaffKind } from '../../api/staff';
import { useI18n } from '../../i18n/I18n';
import { Panel } from '../../ui/Panel';
import { When } from '../../ui/When';
import { changedKeys, toMap } from './grants';
import classes from './Staff.module.css';

/** Who changed this entry, when, and what. */
export function StaffHistory({ kind, id, updatedAt }: { kind: StaffKind; id: string; updatedAt: string }) {
  const { t } = useI18n();
  const history = useQuery({ queryKey: ['staff-history', kind, id, updatedAt], queryFn: ({ signal }) => readStaffHistory(kind, id, signal), retry: false });
  if (history.data === undefined || history.data.edges.length === 0) return null;
  return (
    <div className={classes.history}>
      <Panel title={t('staff.history')} id="staff-history" flush>
        <ul className={classes.changes}>
          {history.data.edges.map((entry) => (
            <Change key={entry.id} entry={entry} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Change({ entry }: { entry: StaffHistoryEntry }) {
  const { t } = useI18n();
  const before = toMap(entry.before?.permissions ?? []);
  const after = toMap(entry.after?.permissions ?? []);
  const changed = changedKeys(before, after);
  const actor = entry.actor === null ? t('staff.operator') : (entry.actor.name ?? t('state.deletedAccount'));
  return (
    <li>
      <strong>
        <bdi>{actor}</bdi>
      </strong>{' '}
      <span className={classes.email}>
        <When iso={entry.at} />
      </span>
      <ul className={classes.keys}>
        {entry.before === null && <li data-kind="given">{t('staff.created')}</li>}
        {entry.after === null && <li data-kind="taken">{t('staff.removed')}</li>}
        {entry.before !== null && entry.after !== null && entry.before.unrestricted !== entry.after.unrestricted && (
          <li data-kind={entry.after.unrestricted ? 'given' : 'taken'}>{t('staff.unrestricted')}</li>
        )}
        {changed.map((key) => (
          <li key={key} data-kind={!before.has(key) ? 'given' : !after.has(key) ? 'taken' : 'rescoped'}>
            <code>{key}</code> {before.has(key) && after.has(key) && t('staff.rescoped')}
          </li>
        ))}
      </ul>
    </li>
  );
}

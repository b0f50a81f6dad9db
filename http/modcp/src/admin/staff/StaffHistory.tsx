import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { readStaffHistory, type StaffHistoryEntry, type StaffKind } from '../../api/staff';
import { useI18n } from '../../i18n/I18n';
import { Panel } from '../../ui/Panel';
import { When } from '../../ui/When';
import { changesBetween, keyOf, toMap } from './grants';
import classes from './Staff.module.css';
import { useAreaNames } from './useAreaNames';
import { useGrantWords } from './useGrantWords';

interface Props {
  kind: StaffKind;
  id: string;
  updatedAt: string;
  /** Grant keys in the order of the catalog. */
  order: readonly string[];
}

/** Who changed this entry, when, and what. */
export function StaffHistory({ kind, id, updatedAt, order }: Props) {
  const { t } = useI18n();
  const history = useQuery({ queryKey: keys.staffHistory(kind, id, updatedAt), queryFn: ({ signal }) => readStaffHistory(kind, id, signal), retry: false });
  const entries = history.data?.edges ?? [];
  const areas = useAreaNames(entries.flatMap((entry) => [entry.before, entry.after].flatMap((rights) => rights?.permissions.map((grant) => grant.scope) ?? [])), 4);
  if (entries.length === 0) return null;
  return (
    <div className={classes.history}>
      <Panel title={t('staff.history')} id="staff-history" flush>
        <ul className={`bare ${classes.changes}`}>
          {entries.map((entry) => (
            <Change key={entry.id} entry={entry} areas={areas} order={order} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Change({ entry, areas, order }: { entry: StaffHistoryEntry; areas: ReturnType<typeof useAreaNames>; order: readonly string[] }) {
  const { t, locale } = useI18n();
  const words = useGrantWords();
  const before = toMap(entry.before?.permissions ?? []);
  const after = toMap(entry.after?.permissions ?? []);
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
        {changesBetween(before, after, order).map(({ kind, plugin, module, scope, permissions }) => (
          <li key={`${plugin}:${module} ${kind} ${JSON.stringify(scope)}`} data-kind={kind} title={permissions.map((permission) => keyOf({ plugin, module, permission })).join('\n')}>
            <strong>
              <bdi>{words.module(plugin, module)}</bdi>
            </strong>
            : <bdi>{new Intl.ListFormat(locale.id).format(permissions.map(words.permission))}</bdi>
            {scope !== undefined && (
              <span className={classes.email}>
                {' · '}
                <bdi>{kind === 'rescoped' ? t('staff.rescoped', { where: areas(scope) }) : areas(scope)}</bdi>
              </span>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}

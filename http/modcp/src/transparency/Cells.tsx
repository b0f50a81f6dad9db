import { useQuery } from '@tanstack/react-query';
import { listPolicies } from '../api/policies';
import { keys } from '../api/queryKeys';
import type { PublishedCell } from '../api/transparency';
import { formatDuration, formatLanguage } from '../i18n/format';
import { useI18n } from '../i18n/I18n';
import classes from './Cells.module.css';
import { groupsOf, sizeOf } from './cellGroups';

/** The numbers of a report: a table of each subject, with bars. */
export function Cells({ cells }: { cells: readonly PublishedCell[] }) {
  const { known, label: labelOf, number, locale } = useI18n();
  // Rules are counted by their keys. One that has been retired since shows its key.
  const rules = useQuery({
    queryKey: [...keys.policies, 'titles'],
    queryFn: ({ signal }) => listPolicies({ first: 100 }, signal),
    enabled: cells.some(({ name }) => name.includes('.policy.')),
  });
  const shown = (group: string, value: PublishedCell['value']) => (typeof value !== 'number' ? value : group === 'decisions.seconds' ? formatDuration(value, locale.id) : number(value));
  const subject = (name: string) => known(`transparency.${name}`) ?? name;
  const label = (group: string, rest: string) => {
    const key = { 'filings.reason': 'reason', 'decisions.resolution': 'resolution', measures: 'measure' }[group];
    if (group.endsWith('.policy')) return rules.data?.edges.find(({ key }) => key === rest)?.title ?? rest;
    if (group === 'filings.type') return labelOf(rest);
    if (group === 'filings.locale') return formatLanguage(rest, locale.id);
    const found = rest === '' ? 'transparency.all' : key === undefined ? `transparency.${group}.${rest}` : `${key}.${rest}`;
    return known(found) ?? rest;
  };
  return (
    <div className={classes.groups}>
      {groupsOf(cells).map(({ name, cells }) => {
        const most = Math.max(1, ...cells.map(({ value }) => sizeOf(value)));
        return (
          <table key={name} className={classes.table}>
            <caption>{subject(name)}</caption>
            <tbody>
              {cells.map(({ rest, value }) => (
                <tr key={rest}>
                  <th scope="row">
                    <bdi>{label(name, rest)}</bdi>
                  </th>
                  <td className={classes.plot} aria-hidden="true">
                    <span style={{ inlineSize: `${(100 * sizeOf(value)) / most}%` }} />
                  </td>
                  <td className={classes.value}>
                    <bdi dir={typeof value === 'number' ? undefined : 'ltr'}>{shown(name, value)}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}

import type { PublishedCell } from '../api/transparency';
import { useI18n } from '../i18n/I18n';
import classes from './Cells.module.css';
import { groupsOf, sizeOf } from './cellGroups';

/** The numbers of a report: a table of each subject, with bars. */
export function Cells({ cells }: { cells: readonly PublishedCell[] }) {
  const { known, number } = useI18n();
  const shown = (value: PublishedCell['value']) => (typeof value === 'number' ? number(value) : value);
  const subject = (name: string) => known(`transparency.${name}`) ?? name;
  const label = (group: string, rest: string) => {
    const key = { 'filings.reason': 'reason', 'decisions.resolution': 'resolution', measures: 'measure' }[group];
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
                  <th scope="row" dir="auto">
                    {label(name, rest)}
                  </th>
                  <td className={classes.plot} aria-hidden="true">
                    <span style={{ inlineSize: `${(100 * sizeOf(value)) / most}%` }} />
                  </td>
                  <td className={classes.value} dir="ltr">
                    {shown(value)}
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

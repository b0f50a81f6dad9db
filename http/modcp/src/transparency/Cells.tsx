import type { PublishedCell } from '../api/transparency';
import { measureKinds, reasons, resolutions } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { transparency } from '../i18n/en/transparency';
import type { MessageKey } from '../i18n/messages';
import classes from './Cells.module.css';
import { groupsOf, sizeOf } from './cells';

/** Words for what other parts of the panel name too. */
const elsewhere: readonly string[] = [...reasons.map((one) => `reason.${one}`), ...resolutions.map((one) => `resolution.${one}`), ...measureKinds.map((one) => `measure.${one}`)];

const isKey = (key: string): key is MessageKey => key in transparency || elsewhere.includes(key);

/** The numbers of a report: a table of each subject, with bars. */
export function Cells({ cells }: { cells: readonly PublishedCell[] }) {
  const { t, number } = useI18n();
  const shown = (value: PublishedCell['value']) => (typeof value === 'number' ? number(value) : value);
  const subject = (name: string) => {
    const key = `transparency.${name}`;
    return isKey(key) ? t(key) : name;
  };
  const label = (group: string, rest: string) => {
    const key = { 'filings.reason': 'reason', 'decisions.resolution': 'resolution', measures: 'measure' }[group];
    const found = rest === '' ? 'transparency.all' : key === undefined ? `transparency.${group}.${rest}` : `${key}.${rest}`;
    return isKey(found) ? t(found) : rest;
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

import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { Link } from 'react-router';
import type { PolicyFigures } from '../api/stats';
import { defaultFilters, writeFilters } from '../board/filters';
import { usePolicies } from '../decision/usePolicies';
import { formatDuration } from '../i18n/format';
import { useI18n } from '../i18n/I18n';
import type { MessageKey } from '../i18n/messages';
import classes from './Dashboard.module.css';

const rowHeight = 44;
const tick = { fill: 'var(--d-muted)', fontSize: 11 };
const tooltip = { background: 'var(--d-surface)', border: '1px solid var(--d-line-strong)', borderRadius: 8, color: 'var(--d-text)' };

/** Minor ones are left out on a phone. */
const columns = [
  { key: 'decision.policy' },
  { key: 'stats.reported' },
  { key: 'stats.decisions' },
  { key: 'stats.decision', minor: true },
  { key: 'stats.appeals', minor: true },
  { key: 'appeal.status.upheld', minor: true },
  { key: 'appeal.status.overturned' },
  { key: 'stats.reversalRate' },
] as const satisfies readonly { key: MessageKey; minor?: boolean }[];

/** What the rules led to: decisions and overturned appeals as bars, everything as a table. */
export function PolicyPlot({ policies }: { policies: PolicyFigures[] }) {
  const { t, number, locale } = useI18n();
  const rtl = locale.dir === 'rtl';
  const known = usePolicies();
  const title = (key: string) => known?.find((policy) => policy.key === key)?.title ?? key;
  const time = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds, locale.id));
  const share = (rate: number | null) => (rate === null ? '–' : rate.toLocaleString(locale.id, { style: 'percent' }));
  return (
    <figure className={classes.figure}>
      <div className={classes.plot} aria-hidden="true">
        <ResponsiveContainer width="100%" height={40 + rowHeight * policies.length} initialDimension={{ width: 600, height: 40 + rowHeight * policies.length }}>
          <BarChart data={policies} layout="vertical" accessibilityLayer={false} barGap={2} margin={{ top: 4, right: 8, bottom: 0, left: 8 }}>
            <XAxis type="number" reversed={rtl} allowDecimals={false} tickFormatter={(value: number) => number(value)} tick={tick} tickLine={false} axisLine={false} />
            <YAxis type="category" dataKey="policy" tickFormatter={title} orientation={rtl ? 'right' : 'left'} width={140} tick={tick} tickLine={false} axisLine={false} />
            <Tooltip
              labelFormatter={(key) => title(String(key))}
              formatter={(value) => number(Number(value))}
              contentStyle={{ ...tooltip, direction: locale.dir }}
              cursor={{ fill: 'var(--d-canvas)' }}
              isAnimationActive={false}
            />
            <Bar dataKey="decided" name={t('stats.decisions')} fill="var(--plot-first)" radius={[0, 2, 2, 0]} maxBarSize={14} isAnimationActive={false} />
            <Bar dataKey="appealsOverturned" name={t('appeal.status.overturned')} fill="var(--plot-third)" radius={[0, 2, 2, 0]} maxBarSize={14} isAnimationActive={false} />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <figcaption className={classes.legend}>
        <span data-tone="first">{t('stats.decisions')}</span>
        <span data-tone="third">{t('appeal.status.overturned')}</span>
      </figcaption>
      <table className={classes.table}>
        <caption className="visually-hidden">{t('stats.byPolicy')}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-minor={'minor' in column || undefined}>
                {t(column.key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {policies.map((figures) => (
            <tr key={figures.policy}>
              <th scope="row">
                <bdi>{title(figures.policy)}</bdi>
              </th>
              <td>
                {figures.reported === 0 ? number(0) : (
                  <Link to={{ pathname: '/modcp/reports', search: writeFilters({ ...defaultFilters, status: 'all', policy: figures.policy }).toString() }}>{number(figures.reported)}</Link>
                )}
              </td>
              <td>{number(figures.decided)}</td>
              <td data-minor>{time(figures.meanSecondsToDecision)}</td>
              <td data-minor>{number(figures.appealsOpened)}</td>
              <td data-minor>{number(figures.appealsUpheld)}</td>
              <td>{number(figures.appealsOverturned)}</td>
              <td>{share(figures.reversalRate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

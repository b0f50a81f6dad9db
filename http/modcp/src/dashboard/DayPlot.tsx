import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useI18n } from '../i18n/I18n';
import { formatDate, wholeDay } from '../i18n/format';
import classes from './Dashboard.module.css';

/** The bars of one thing, day by day. */
export interface Series<Key extends string> {
  key: Key;
  label: string;
  tone: 'first' | 'second' | 'third';
}

const height = 200;
const tick = { fill: 'var(--d-muted)', fontSize: 11 };
const tooltip = { background: 'var(--d-surface)', border: '1px solid var(--d-line-strong)', borderRadius: 8, color: 'var(--d-text)' };

/** A bar of each series a day; screen readers get the same figures as a table. */
export function DayPlot<Key extends string>({ title, points, series }: { title: string; points: ({ start: number } & Record<Key, number>)[]; series: Series<Key>[] }) {
  const { t, number, locale } = useI18n();
  // Time runs in the direction of reading.
  const rtl = locale.dir === 'rtl';
  // The library's own measure is taken before the labels have their font. No tick is over twice the greatest value.
  const axisWidth = 14 + 7 * number(2 * Math.max(4, ...points.flatMap((point) => series.map(({ key }) => point[key])))).length;
  const day = (start: number, options: Intl.DateTimeFormatOptions) => formatDate(new Date(start).toISOString(), locale.id, { ...options, timeZone: 'UTC' });
  return (
    <figure className={classes.figure}>
      <div className={classes.plot} aria-hidden="true">
        <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 600, height }}>
          <BarChart data={points} accessibilityLayer={false} barGap={2} barCategoryGap="30%" margin={{ top: 8, right: 4, bottom: 0, left: 4 }}>
            <CartesianGrid vertical={false} stroke="var(--d-line)" />
            <XAxis
              dataKey="start"
              reversed={rtl}
              tickFormatter={(start: number) => day(start, { day: 'numeric', month: 'short' })}
              tick={tick}
              tickLine={false}
              axisLine={false}
              interval="equidistantPreserveStart"
              minTickGap={18}
            />
            <YAxis orientation={rtl ? 'right' : 'left'} width={axisWidth} allowDecimals={false} tickFormatter={(value: number) => number(value)} tick={tick} tickLine={false} axisLine={false} />
            <Tooltip
              labelFormatter={(start) => day(Number(start), wholeDay)}
              formatter={(value) => number(Number(value))}
              contentStyle={{ ...tooltip, direction: locale.dir }}
              cursor={{ fill: 'var(--d-canvas)' }}
              isAnimationActive={false}
            />
            {series.map(({ key, label, tone }) => (
              <Bar key={key} dataKey={key} name={label} fill={`var(--plot-${tone})`} radius={[2, 2, 0, 0]} maxBarSize={18} isAnimationActive={false} />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <figcaption className={classes.legend}>
        {series.map(({ key, label, tone }) => (
          <span key={key} data-tone={tone}>
            {label}
          </span>
        ))}
      </figcaption>
      {/* A table keeps its height whatever a style says, the box round it does not. */}
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('stats.date')}</th>
              {series.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.start}>
                <th scope="row">{day(point.start, wholeDay)}</th>
                {series.map(({ key }) => (
                  <td key={key}>{number(point[key])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

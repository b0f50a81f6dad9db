import { useElementSize } from '@mantine/hooks';
import { useI18n } from '../i18n/I18n';
import { formatDate, wholeDay } from '../i18n/format';
import classes from './Dashboard.module.css';
import { niceTop } from './figures';

interface Point {
  start: number;
  opened: number;
  decided: number;
}

const height = 170;
const left = 34;
/** Pixels that a day's label needs beside it. */
const labelWidth = 62;

/** Two bars a day, drawn as plain SVG; a table with the same figures is there for screen readers. */
export function DayPlot({ points }: { points: Point[] }) {
  const { t, number, locale } = useI18n();
  const top = niceTop(points.flatMap((point) => [point.opened, point.decided]));
  const { ref, width } = useElementSize();
  const total = Math.max(width, 280);
  const slot = (total - left) / Math.max(1, points.length);
  const bar = Math.max(3, Math.min(18, slot / 3));
  const everyNth = Math.ceil(labelWidth / slot);
  // Time runs the way people read.
  const x = (from: number, wide = 0) => (locale.dir === 'rtl' ? total - from - wide : from);
  const y = (value: number) => height - (value / top) * (height - 10);
  const day = (start: number, options: Intl.DateTimeFormatOptions) => formatDate(new Date(start).toISOString(), locale.id, { ...options, timeZone: 'UTC' });
  // The last day's label would stick out of a narrow plot.
  const label = (middle: number) => (middle + labelWidth / 2 > total ? ({ x: x(total), textAnchor: 'end' } as const) : ({ x: x(middle), textAnchor: 'middle' } as const));
  return (
    <figure className={classes.figure} ref={ref}>
      <svg width={total} height={height + 24} className={classes.plot} aria-hidden="true" focusable="false" direction={locale.dir}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line x1={x(left)} x2={x(total)} y1={y(top * part)} y2={y(top * part)} className={classes.rule} />
            <text x={x(left - 8)} y={y(top * part) + 4} textAnchor="end" className={classes.axis}>
              {number(top * part)}
            </text>
          </g>
        ))}
        {points.map((point, index) => {
          const start = left + index * slot;
          return (
            <g key={point.start}>
              <title>{t('stats.day', { date: day(point.start, wholeDay), opened: point.opened, decided: point.decided })}</title>
              <rect x={x(start, slot)} y={0} width={slot} height={height} fill="transparent" />
              <rect x={x(start + slot / 2 - bar - 1, bar)} y={y(point.opened)} width={bar} height={height - y(point.opened)} rx={2} className={classes.opened} />
              <rect x={x(start + slot / 2 + 1, bar)} y={y(point.decided)} width={bar} height={height - y(point.decided)} rx={2} className={classes.decided} />
              {(points.length - 1 - index) % everyNth === 0 && (
                <text {...label(start + slot / 2)} y={height + 17} className={classes.axis}>
                  {day(point.start, { day: 'numeric', month: 'short' })}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption className={classes.legend}>
        <span data-series="opened">{t('stats.opened')}</span>
        <span data-series="decided">{t('stats.decided')}</span>
      </figcaption>
      {/* A table keeps its height whatever a style says, the box round it does not. */}
      <div className="visually-hidden">
        <table>
          <caption>{t('stats.byDay')}</caption>
          <tbody>
            {points.map((point) => (
              <tr key={point.start}>
                <th scope="row">{day(point.start, wholeDay)}</th>
                <td>{t('stats.day', { date: '', opened: point.opened, decided: point.decided })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

import { Link } from 'react-router';
import type { BacktestResult as Result, Outcome } from '../../api/backtests';
import { useI18n } from '../../i18n/I18n';
import { Tag, type Tone } from '../../ui/Tag';
import shared from '../shared/Admin.module.css';
import classes from './Rules.module.css';

export const outcomeTones: Record<Outcome, Tone> = { open: 'blue', upheld: 'green', rejected: 'red', duplicate: 'neutral', overturned: 'amber' };
export const outcomes = Object.keys(outcomeTones) as Outcome[];

/** What a condition would have matched, beside what people decided; in brief with a few of the examples. */
export function BacktestResult({ of: result, brief = false }: { of: Result; brief?: boolean }) {
  const examples = brief ? result.examples.slice(0, 5) : result.examples;
  const { t, number, locale } = useI18n();
  const percent = new Intl.NumberFormat(locale.id, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <div className={shared.form}>
      <p className={classes.matched}>{t('backtest.matchedOf', { matched: result.matched, evaluated: result.evaluated })}</p>
      {result.failed > 0 && <p className={shared.detail}>{t('backtest.failedOn', { count: result.failed })}</p>}
      {result.erased > 0 && <p className={shared.detail}>{t('backtest.erased', { count: result.erased })}</p>}
      <table className={classes.outcomes} aria-label={t('backtest.outcomes')}>
        <thead>
          <tr>
            <th scope="col">{t('backtest.outcome')}</th>
            <th scope="col">{t('backtest.reports')}</th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map((outcome) => (
            <tr key={outcome}>
              <th scope="row">{t(`backtest.outcome.${outcome}`)}</th>
              <td>{number(result[outcome])}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('backtest.precision')}</th>
            <td>{result.precision === null ? '–' : percent.format(result.precision)}</td>
          </tr>
        </tfoot>
      </table>
      {result.both !== undefined && <p className={shared.detail}>{t('backtest.compared', { both: result.both, onlyNew: result.onlyNew ?? 0, onlyOld: result.onlyOld ?? 0 })}</p>}
      <p className={shared.detail}>{t(result.precision === null ? 'backtest.noPrecision' : 'backtest.precisionHint')}</p>
      {examples.length > 0 && (
        <div>
          <h3 className={shared.label} id="examples">
            {t('backtest.examples')}
          </h3>
          <ul className={classes.examples} aria-labelledby="examples">
            {examples.map(({ reportId, outcome }) => (
              <li key={reportId}>
                <Link to={`/modcp/reports/${reportId}`} className={shared.id} dir="ltr" aria-label={t('holds.openReport', { id: reportId })}>
                  …{reportId.slice(-6)}
                </Link>{' '}
                <Tag tone={outcomeTones[outcome]}>{t(`backtest.outcome.${outcome}`)}</Tag>
              </li>
            ))}
          </ul>
        </div>
      )}
      {!brief && (
        <details className={shared.details}>
          <summary>{t('events.details')}</summary>
          <dl className={shared.facts}>
            <div>
              <dt>{t('backtest.through')}</dt>
              <dd>{number(result.throughPosition)}</dd>
            </div>
            <div>
              <dt>{t('backtest.root')}</dt>
              <dd>
                <code dir="ltr">{result.rootHash}</code>
              </dd>
            </div>
            <div>
              <dt>{t('backtest.whenHash')}</dt>
              <dd>
                <code dir="ltr">{result.whenHash}</code>
              </dd>
            </div>
          </dl>
        </details>
      )}
    </div>
  );
}

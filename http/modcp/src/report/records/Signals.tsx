import type { Signal } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Panel } from '../../ui/Panel';
import { When } from '../../ui/When';
import classes from './Signals.module.css';

/** What machines say about the content, the highest score first. */
export function Signals({ signals }: { signals: readonly Signal[] }) {
  const { t, locale } = useI18n();
  if (signals.length === 0) return null;
  const score = (value: number) => value.toLocaleString(locale.id, { maximumFractionDigits: 2 });
  return (
    <Panel id="signals" title={t('signals.title')}>
      <ul className={classes.list}>
        {[...signals]
          .sort((a, b) => b.score - a.score)
          .map((signal) => (
            <li key={`${signal.source} ${signal.name}`}>
              <span className={classes.name}>
                <bdi>{signal.name}</bdi>
              </span>
              <span className={classes.bar} aria-hidden="true">
                <span style={{ inlineSize: `${signal.score * 100}%` }} />
              </span>
              <span className={classes.score}>{score(signal.score)}</span>
              <span className={classes.from}>
                <bdi>{signal.source}</bdi> · <When iso={signal.at} />
              </span>
            </li>
          ))}
      </ul>
      <p className={classes.hint}>{t('signals.hint')}</p>
    </Panel>
  );
}

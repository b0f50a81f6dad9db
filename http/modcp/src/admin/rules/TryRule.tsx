import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { tryRule } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { Tag } from '../../ui/Tag';
import shared from '../shared/Admin.module.css';
import { outcomeTones } from './BacktestResult';
import classes from './Rules.module.css';

/** Which of the newest reports a condition matches, and why, while it is written. */
export function TryRule({ when, sound }: { when: string; sound: boolean }) {
  const { t } = useI18n();
  const tried = useQuery({
    queryKey: keys.ruleTry(when),
    queryFn: ({ signal }) => tryRule(when, signal),
    enabled: sound,
    placeholderData: (before) => before,
    staleTime: 10_000,
    gcTime: 10_000,
  });
  const items = tried.data?.items ?? [];
  const matched = items.filter((item) => item.matched);
  return (
    <details className={classes.tried} open>
      <summary>
        {t('auto.try')} <span role="status">{sound && tried.data !== undefined && t('auto.tried', { matched: matched.length, count: items.length })}</span>
      </summary>
      <p className={shared.muted}>{t('auto.tryHint')}</p>
      {tried.data?.whole === false && <p className={shared.muted}>{t('auto.tryPart')}</p>}
      {sound && matched.length > 0 && (
        <ul aria-label={t('auto.try')}>
          {matched.map(({ reportId, title, held, outcome }) => (
            <li key={reportId}>
              <Link to={`/modcp/reports/${reportId}`}>
                <bdi>{title === null ? reportId : title === '' ? t('board.untitled') : title}</bdi>
              </Link>{' '}
              <Tag tone={outcomeTones[outcome]}>{t(`backtest.outcome.${outcome}`)}</Tag>
              <span className={classes.held} dir="ltr">
                {held.map((part, index) => (
                  <code key={index}>{part}</code>
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

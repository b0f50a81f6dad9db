import { useThenText } from '../../admin/rules/useThenText';
import type { Report } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Panel } from '../../ui/Panel';
import { Tag } from '../../ui/Tag';
import { When } from '../../ui/When';
import classes from './MatchedRules.module.css';

/** The automated rules that matched, why, and what they did or would have done. */
export function MatchedRules({ report: { rules = [], status } }: { report: Pick<Report, 'rules' | 'status'> }) {
  const { t } = useI18n();
  const thenText = useThenText();
  if (rules.length === 0) return null;
  return (
    <Panel id="matched-rules" title={t('admin.rules')}>
      <ul className={classes.list}>
        {rules.map(({ rule, version, title, then, shadow, held, at }) => (
          <li key={`${rule} ${version}`}>
            <span className={classes.title}>
              <bdi>{title}</bdi> {shadow && <Tag>{t('auto.mode.shadow')}</Tag>}
            </span>
            <span>{t(shadow ? 'matched.would' : 'matched.does', { then: thenText(then) })}</span>
            {held.length > 0 && (
              <>
                <span className="small">{t('matched.held')}</span>
                <span className={classes.held} dir="ltr">
                  {held.map((part, index) => (
                    <code key={index}>{part}</code>
                  ))}
                </span>
              </>
            )}
            <span className="small">
              <bdi>{rule}</bdi> · {t('auto.versionNumber', { version })} · <When iso={at} />
            </span>
          </li>
        ))}
      </ul>
      {status !== 'done' && rules.some(({ then, shadow }) => then.hide === true && !shadow) && <p className={classes.hint}>{t('matched.hides')}</p>}
    </Panel>
  );
}

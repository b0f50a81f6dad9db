import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { OutLink } from '../richtext/RichText';
import { safeTarget } from '../ui/safeUrl';
import { Icon } from '../ui/Icon';
import { Tag } from '../ui/Tag';
import classes from './ContentPanel.module.css';

/** The content's state right now: public, hidden or deleted, with the way to it. */
export function ContentPanel({ report }: { report: Report }) {
  const { t } = useI18n();
  const { current } = report.target;
  const href = safeTarget(current?.url ?? null);
  return (
    <section className={classes.panel} aria-label={t('report.contentState')}>
      <span className={classes.label}>{t('report.contentState')}</span>
      {current === null ? (
        <Tag tone="neutral">
          <Icon name="trash" size={13} /> {t('report.contentGone')}
        </Tag>
      ) : current.hidden ? (
        <Tag tone="amber">
          <Icon name="eyeOff" size={13} /> {t('report.contentHidden')}
        </Tag>
      ) : (
        <Tag tone="green">
          <Icon name="eye" size={13} /> {t('report.contentPublic')}
        </Tag>
      )}
      <div className={classes.more}>
        <span className={classes.hint}>
          {t(current === null ? 'report.contentGoneHint' : current.hidden ? 'report.contentHiddenHint' : 'report.contentPublicHint')}
        </span>
        {href !== null && (
          <OutLink href={href}>
            {t('report.openContent')} <Icon name="external" size={13} />
          </OutLink>
        )}
      </div>
    </section>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReportLink } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { safeLink } from '../ui/safeUrl';
import { Tag } from '../ui/Tag';
import classes from './LinkList.module.css';

/** The links of reported content: where each leads, whether its host may imitate another, and what came of other reports with it. */
export function LinkList({ links }: { links: readonly ReportLink[] | undefined }) {
  const { t } = useI18n();
  const [asked, setAsked] = useState<ReportLink | null>(null);
  if (links === undefined || links.length === 0) return null;
  return (
    <section className={classes.links} aria-label={t('links.title')}>
      <h3 className={classes.title}>{t('links.title')}</h3>
      <ul className={classes.list}>
        {links.map((link) => (
          <li key={link.url} className={classes.item}>
            <button type="button" className={classes.host} onClick={() => setAsked(link)} title={link.url}>
              <Icon name="link" size={14} />
              <bdi dir="ltr">{link.host}</bdi>
              <span className={classes.address} dir="ltr">
                {link.url}
              </span>
            </button>
            {link.suspicious !== null && (
              <Tag tone="red">
                <Icon name="warning" size={13} /> {t('links.suspicious')}
              </Tag>
            )}
            {link.reports > 0 && <span className="small">{t('links.seen', { reports: link.reports, upheld: link.upheld })}</span>}
          </li>
        ))}
      </ul>
      {asked !== null && <OpenLink link={asked} close={() => setAsked(null)} />}
    </section>
  );
}

function OpenLink({ link, close }: { link: ReportLink; close: () => void }) {
  const { t } = useI18n();
  const href = safeLink(/^https?:/i.test(link.url) ? link.url : `http://${link.url}`);
  return (
    <Dialog close={close} title={t('links.ask')}>
      <p className={classes.whole} dir="ltr">
        {link.url}
      </p>
      <p>{t('links.host', { host: link.host })}</p>
      {link.suspicious !== null && <p className={classes.warning}>{t('links.suspiciousHint')}</p>}
      <div className={classes.foot}>
        <Button variant="default" onClick={close} data-autofocus>
          {t('action.cancel')}
        </Button>
        {href !== null && (
          <Button component="a" href={href} target="_blank" rel="noopener noreferrer nofollow" onClick={close} leftSection={<Icon name="external" size={15} />}>
            {t('links.open')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

import { Popover, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../../api/queryKeys';
import { authorRecord } from '../../api/stats';
import type { Person } from '../../api/types';
import { PolicyLink } from '../../decision/PolicyLink';
import { useI18n } from '../../i18n/I18n';
import { ResolutionTag, Tag } from '../../ui/Tag';
import { When } from '../../ui/When';
import classes from './AuthorRecord.module.css';

/** Earlier decisions on an author's content, beside the name; the latest are listed on request. */
export function AuthorRecord({ pluginId, author }: { pluginId: string; author: Person }) {
  const { t } = useI18n();
  const record = useQuery({ queryKey: keys.authorRecord(pluginId, author.id), queryFn: ({ signal }) => authorRecord(author.id, pluginId, signal), retry: false }).data;
  if (record === undefined || (record.decided === 0 && record.recent.length === 0)) return null;
  const line = record.decided === 0 ? t('record.reported', { count: record.recent.length }) : t(record.capped === true ? 'record.authorCapped' : 'record.author', { decided: record.decided, upheld: record.outcomes.action_taken, rest: record.decided - record.outcomes.action_taken });
  return (
    <Popover width={340} position="bottom-start" withinPortal={false} trapFocus>
      <Popover.Target>
        <UnstyledButton data-author-record className={classes.line} aria-label={`${line}. ${t('record.show')}`}>
          {line}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.more} aria-label={t('record.latest')}>
        {record.memberSince !== null && (
          <p className={classes.title}>
            {t('record.memberSince')} <When iso={record.memberSince} />
          </p>
        )}
        {record.policies.length > 0 && (
          <ul className={classes.list}>
            {record.policies.map((policy) => (
              <li key={`${policy.key}@${policy.version}`}>
                <PolicyLink policy={policy} /> · <span className={classes.count}>{t('record.times', { count: policy.decisions })}</span>
              </li>
            ))}
          </ul>
        )}
        <p className={classes.title}>{t('record.recent')}</p>
        <ul className={classes.list}>
          {record.recent.map((one) => (
            <li key={one.id}>
              <Link to={`/modcp/reports/${one.id}`} dir="auto">
                {one.title === '' ? t('board.untitled') : one.title}
              </Link>{' '}
              {one.resolution === null ? <Tag tone="blue">{t('record.isOpen')}</Tag> : <ResolutionTag resolution={one.resolution} />} <When iso={one.reportedAt} />
            </li>
          ))}
        </ul>
        {record.latest.length > 0 && <p className={classes.title}>{t('record.latest')}</p>}
        <ul className={classes.list}>
          {record.latest.map((one) => (
            <li key={one.id}>
              <Link to={`/modcp/reports/${one.id}`} dir="auto">
                {one.title === '' ? t('board.untitled') : one.title}
              </Link>{' '}
              <ResolutionTag resolution={one.resolution} /> <When iso={one.decidedAt} />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { listIntegrations } from '../../api/operations';
import type { Integration } from '../../api/types';
import { humanise } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';
import { PageHead } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import { Tag } from '../../ui/Tag';
import { useTitle } from '../../ui/useTitle';
import { integrationMessage, platformOf } from './integrationText';
import classes from '../shared/Admin.module.css';

export function Integrations() {
  const { t } = useI18n();
  useTitle(t('admin.integrations'));
  const list = useQuery({ queryKey: keys.integrations, queryFn: ({ signal }) => listIntegrations(signal) });
  return (
    <>
      <PageHead title={t('admin.integrations')} hint={t('integrations.hint')} />
      {list.isPending ? (
        <Loading />
      ) : list.data === undefined ? (
        <Failure error={list.error} retry={() => void list.refetch()} collection />
      ) : (
        <ul className={classes.cards}>
          {list.data.map((integration) => (
            <Card key={integration.name} integration={integration} />
          ))}
        </ul>
      )}
    </>
  );
}

function Card({ integration }: { integration: Integration }) {
  const { t, known, date } = useI18n();
  const message = integrationMessage(integration);
  const platform = platformOf(integration);
  const shown = (value: string | number) => (platform !== null && typeof value === 'string' ? date(value) : value);
  return (
    <li className={classes.card}>
      <div className={classes.row}>
        <span className={classes.name}>{platform !== null ? t('integrations.platform', { name: platform }) : (known(`integrations.${integration.name}`) ?? humanise(integration.name))}</span>
        <Tag tone={integration.active ? 'green' : 'neutral'} dot>
          {t(integration.active ? 'integrations.on' : 'integrations.off')}
        </Tag>
      </div>
      <p className={classes.detail} dir="auto">
        {(message !== null && known(message.key, { value: shown(message.value) })) || integration.detail}
      </p>
    </li>
  );
}

import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { readContext, type ContextItem } from '../api/reports';
import { useI18n } from '../i18n/I18n';
import { OutLink } from '../richtext/RichText';
import { Icon } from '../ui/Icon';
import { safeTarget } from '../ui/safeUrl';
import { Tag } from '../ui/Tag';
import { When } from '../ui/When';
import classes from './Context.module.css';

/** What stands around the reported content now: its parent, and what came before and after. It shows nothing of a type without a thread. */
export function Context({ reportId }: { reportId: string }) {
  const { t } = useI18n();
  const query = useQuery({ queryKey: keys.context(reportId), queryFn: ({ signal }) => readContext(reportId, signal), retry: false, staleTime: 30_000 });
  if (query.isError) {
    return (
      <p className={classes.quiet}>
        {t('context.failed')}{' '}
        <button type="button" className={classes.again} onClick={() => void query.refetch()}>
          {t('action.retry')}
        </button>
      </p>
    );
  }
  return <ContextItems items={query.data?.items ?? []} />;
}

/** Reported content among what stands around it; nothing where it stands alone. */
export function ContextItems({ items }: { items: readonly ContextItem[] }) {
  const { t } = useI18n();
  if (!items.some((item) => item.relation !== 'target')) return null;
  return (
    <details className={classes.context} open={window.matchMedia('(min-width: 720px)').matches}>
      <summary className={classes.summary}>{t('context.title', { count: items.length - 1 })}</summary>
      <ol className={classes.list}>
        {items.map((item, index) => (
          <Item key={`${item.type}:${item.id}`} item={item} titled={item.title !== '' && item.title !== items[index - 1]?.title} />
        ))}
      </ol>
    </details>
  );
}

function Item({ item, titled }: { item: ContextItem; titled: boolean }) {
  const { t } = useI18n();
  const href = safeTarget(item.url === '' ? null : item.url);
  return (
    <li className={classes.item} data-relation={item.relation} aria-current={item.relation === 'target' ? true : undefined}>
      <div className={classes.head}>
        <Tag tone={item.relation === 'target' ? 'amber' : 'neutral'}>{t(`context.relation.${item.relation}`)}</Tag>
        {item.author !== null && <bdi className={classes.author}>{item.author.name ?? t('state.deletedAccount')}</bdi>}
        {item.at !== null && <When iso={item.at} />}
        {item.hidden && (
          <Tag tone="amber">
            <Icon name="eyeOff" size={13} /> {t('context.hidden')}
          </Tag>
        )}
        {href !== null && (
          <OutLink href={href}>
            {t('context.open')}
            <Icon name="external" size={13} />
          </OutLink>
        )}
      </div>
      {titled && (
        <p className={classes.title} dir="auto">
          {item.title}
        </p>
      )}
      {item.text !== '' && (
        <p className={classes.text} dir="auto">
          {item.text}
        </p>
      )}
    </li>
  );
}

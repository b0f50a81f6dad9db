import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { listDeliveries, redeliver, type Delivery, type Webhook } from '../../api/operations';
import { useI18n } from '../../i18n/I18n';
import { Dialog } from '../../ui/Dialog';
import { Empty } from '../../ui/States';
import { Tag, type Tone } from '../../ui/Tag';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { When } from '../../ui/When';
import { Address } from '../shared/Address';
import { DataTable } from '../../ui/DataTable';
import { EventName } from '../events/EventName';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import classes from '../shared/Admin.module.css';
import { FailureReason } from '../shared/FailureReason';

const tones: Record<Delivery['status'], Tone> = { pending: 'blue', delivered: 'green', failed: 'red' };

export function Deliveries({ hook, close }: { hook: Webhook; close: () => void }) {
  const { t, number } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const key = [...keys.webhooks, hook.id, 'deliveries'];
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => listDeliveries(hook.id, { first: 25, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: 10_000,
  });
  const again = useMutation({
    mutationFn: (delivery: Delivery) => redeliver(hook.id, delivery.id),
    onSuccess: () => toasts.show({ text: t('webhooks.redelivered') }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  return (
    <Dialog close={close} size="xl" title={t('webhooks.deliveries')}>
      <p className={classes.address}>
        <Address url={hook.url} />
      </p>
      <ListFrame list={list} empty={<Empty icon="link" title={t('webhooks.noDeliveries')} />}>
        {(deliveries: Delivery[]) => (
          <DataTable
            label={t('webhooks.deliveries')}
            rows={deliveries}
            rowKey={(delivery) => delivery.id}
            columns={[
              { key: 'event', title: t('replay.slider'), cell: (delivery) => <div><EventName name={delivery.event} /></div> },
              {
                key: 'status',
                title: t('replay.status'),
                cell: (delivery) => (
                  <div>
                    <DeliveryState delivery={delivery} /> {delivery.statusCode}
                    {delivery.lastError !== null && <FailureReason text={delivery.lastError} />}
                  </div>
                ),
              },
              { key: 'attempts', title: t('queue.attempts'), end: true, cell: (delivery) => number(delivery.attempts) },
              { key: 'created', title: t('queue.created'), end: true, cell: (delivery) => <When iso={delivery.createdAt} /> },
              {
                key: 'action',
                title: t('admin.action'),
                actions: true,
                cell: (delivery) => (
                  <Button size="compact-sm" variant="default" onClick={() => again.mutate(delivery)}>
                    {t('webhooks.redeliver')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </ListFrame>
    </Dialog>
  );
}

function DeliveryState({ delivery: { status, attempts } }: { delivery: Delivery }) {
  const { t } = useI18n();
  if (status === 'pending' && attempts > 0) return <Tag tone="amber">{t('queue.retrying')}</Tag>;
  return <Tag tone={tones[status]}>{t(status === 'delivered' ? 'webhooks.delivered' : `queue.${status}`)}</Tag>;
}

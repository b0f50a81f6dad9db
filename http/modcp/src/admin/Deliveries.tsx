import { Button, Modal } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../api/keys';
import { listDeliveries, redeliver, type Delivery, type Webhook } from '../api/operations';
import { useI18n } from '../i18n/I18n';
import { Empty } from '../ui/States';
import { Tag, type Tone } from '../ui/Tag';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { When } from '../ui/When';
import { DataTable } from './DataTable';
import { ListFrame, nextCursor } from './ListFrame';
import classes from './Operations.module.css';

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
    <Modal opened onClose={close} size="xl" title={t('webhooks.deliveriesOf', { url: hook.url })} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <ListFrame list={list} empty={<Empty icon="link" title={t('webhooks.noDeliveries')} />}>
        {(deliveries: Delivery[]) => (
          <DataTable
            label={t('webhooks.deliveries')}
            rows={deliveries}
            rowKey={(delivery) => delivery.id}
            columns={[
              { key: 'event', title: t('replay.slider'), cell: (delivery) => <code className={classes.code}>{delivery.event}</code> },
              {
                key: 'status',
                title: t('replay.status'),
                cell: (delivery) => (
                  <div>
                    <Tag tone={tones[delivery.status]}>{t(delivery.status === 'delivered' ? 'webhooks.delivered' : `queue.${delivery.status}`)}</Tag> {delivery.statusCode}
                    {delivery.lastError !== null && <div className={classes.error}>{delivery.lastError}</div>}
                  </div>
                ),
              },
              { key: 'attempts', title: t('queue.attempts'), end: true, cell: (delivery) => number(delivery.attempts) },
              { key: 'created', title: t('queue.created'), end: true, cell: (delivery) => <When iso={delivery.createdAt} /> },
              {
                key: 'action',
                title: t('cron.action'),
                end: true,
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
    </Modal>
  );
}

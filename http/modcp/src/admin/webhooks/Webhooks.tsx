import { Button, Checkbox, Switch, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/queryKeys';
import { createWebhook, listWebhooks, pingWebhook, removeWebhook, switchWebhook, type Webhook } from '../../api/operations';
import { useI18n } from '../../i18n/I18n';
import { Dialog } from '../../ui/Dialog';
import { Form, FormButtons } from '../../ui/Form';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import { Address } from '../shared/Address';
import { Confirm } from '../../ui/Confirm';
import { DataTable } from '../../ui/DataTable';
import { Deliveries } from './Deliveries';
import { EventName, useEventText } from '../events/EventName';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import classes from '../shared/Admin.module.css';
import { FailureReason } from '../shared/FailureReason';
import { useNames } from '../shared/useNames';

const events = ['created', 'assigned', 'action', 'resolved', 'reopened', 'overdue', 'escalated', 'returned', 'note_updated', 'note_deleted'].map((name) => `moderation.report.${name}`).concat('moderation.appeal.created', 'moderation.appeal.decided', 'moderation.measure.imposed', 'moderation.measure.ended');

export function Webhooks() {
  const { t, locale } = useI18n();
  const client = useQueryClient();
  const eventText = useEventText();
  const names = useNames();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [adding, setAdding] = useState(false);
  const [shown, setShown] = useState<Webhook | null>(null);
  const [removed, setRemoved] = useState<Webhook | null>(null);
  useTitle(t('admin.webhooks'));
  const list = useInfiniteQuery({
    queryKey: keys.webhooks,
    queryFn: ({ pageParam, signal }) => listWebhooks({ first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  const run = useMutation({
    mutationFn: ({ what }: { what: () => Promise<unknown>; done: string }) => what(),
    onSuccess: (_answer, { done }) => toasts.show({ text: done }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.webhooks }),
  });

  return (
    <>
      <PageHead title={t('admin.webhooks')} hint={t('webhooks.hint')}>
        {list.isSuccess && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t('webhooks.add')}
          </Button>
        )}
      </PageHead>
      <ListFrame list={list} empty={<Empty icon="link" title={t('webhooks.empty')} hint={t('webhooks.emptyHint')} />}>
        {(hooks: Webhook[]) => (
          <DataTable
            label={t('admin.webhooks')}
            rows={hooks}
            rowKey={(hook) => hook.id}
            columns={[
              {
                key: 'url',
                title: t('webhooks.url'),
                cell: (hook) => (
                  <div>
                    <span className={classes.name}>
                      <Address url={hook.url} />
                    </span>
                    {hook.name !== null && (
                      <div className={classes.muted}>
                        <bdi>{names.plugin(hook.pluginId)}</bdi>: <bdi>{hook.name}</bdi>
                      </div>
                    )}
                    <div className={classes.muted} title={hook.events.join('\n')}>
                      {hook.events.length === 0 ? t('webhooks.everything') : new Intl.ListFormat(locale.id, { type: 'unit' }).format(hook.events.map(eventText))}
                    </div>
                    {hook.disabledReason !== null && <FailureReason text={hook.disabledReason} />}
                    {hook.enabled && hook.failingSince !== null && (
                      <div className={classes.bad}>
                        {t('webhooks.failing')} <When iso={hook.failingSince} />
                      </div>
                    )}
                  </div>
                ),
              },
              {
                key: 'enabled',
                title: t('webhooks.enabled'),
                cell: (hook) => (
                  <Switch
                    aria-label={`${t('webhooks.enabled')}: ${hook.url}`}
                    checked={hook.enabled}
                    onChange={(event) => {
                      const next = event.currentTarget.checked;
                      run.mutate({ what: () => switchWebhook(hook.id, next), done: t(next ? 'webhooks.switchedOn' : 'webhooks.switchedOff') });
                    }}
                  />
                ),
              },
              {
                key: 'actions',
                title: t('admin.action'),
                actions: true,
                cell: (hook) => (
                  <div className={classes.buttons}>
                    <Button size="compact-md" variant="default" onClick={() => setShown(hook)}>
                      {t('webhooks.deliveries')}
                    </Button>
                    <Button size="compact-md" variant="default" onClick={() => run.mutate({ what: () => pingWebhook(hook.id), done: t('webhooks.pinged') })}>
                      {t('webhooks.ping')}
                    </Button>
                    {hook.name === null && (
                      <Button size="compact-md" variant="default" c="var(--d-red)" onClick={() => setRemoved(hook)}>
                        {t('action.delete')}
                      </Button>
                    )}
                  </div>
                ),
              },
            ]}
          />
        )}
      </ListFrame>
      {adding && <AddWebhook close={() => setAdding(false)} />}
      {shown !== null && <Deliveries hook={shown} close={() => setShown(null)} />}
      {removed !== null && (
        <Confirm
          danger
          title={t('webhooks.removeTitle')}
          action={t('action.delete')}
          confirm={() => run.mutate({ what: () => removeWebhook(removed.id), done: t('webhooks.removed') })}
          close={() => setRemoved(null)}
        >
          <p className={classes.detail}>
            <Address url={removed.url} />
          </p>
          <p className={classes.detail}>{t('webhooks.removeHint')}</p>
        </Confirm>
      )}
    </>
  );
}

function AddWebhook({ close }: { close: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [url, setUrl] = useState('https://');
  const [chosen, setChosen] = useState<string[]>(['moderation.report.created', 'moderation.report.resolved']);
  const create = useMutation({
    mutationFn: () => createWebhook({ url: url.trim(), events: chosen }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.webhooks }),
  });
  const secret = create.data?.secret;
  return (
    <Dialog close={close} title={t('webhooks.add')}>
      {create.isSuccess ? (
        <div className={classes.form}>
          <p className={classes.detail}>{t(secret === undefined ? 'webhooks.created' : 'webhooks.secretOnce')}</p>
          {secret !== undefined && (
            <code className={classes.id}>{secret}</code>
          )}
          <Button onClick={close}>{t('action.close')}</Button>
        </div>
      ) : (
        <Form className={classes.form} submit={() => create.mutate()} fault={create.isError ? errorText(create.error) : null}>
          <TextInput label={t('webhooks.url')} type="url" required dir="ltr" value={url} onChange={(event) => setUrl(event.currentTarget.value)} data-autofocus />
          <Checkbox.Group label={t('webhooks.events')} value={chosen} onChange={setChosen}>
            <div className={classes.form} style={{ gap: 6, marginBlockStart: 6 }}>
              {events.map((event) => (
                <Checkbox key={event} value={event} label={<EventName name={event} />} />
              ))}
            </div>
          </Checkbox.Group>
          <FormButtons cancel={close} submit={t('webhooks.add')} disabled={chosen.length === 0} loading={create.isPending} />
        </Form>
      )}
    </Dialog>
  );
}

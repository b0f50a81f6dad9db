import { Autocomplete, Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { asApiError } from '../../api/http';
import { keys } from '../../api/queryKeys';
import { listPoison, replayPoison, type PoisonedEvent } from '../../api/operations';
import { useI18n } from '../../i18n/I18n';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import { DataTable } from '../../ui/DataTable';
import { EventName, useEventText } from '../events/EventName';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { Named } from '../shared/Named';
import classes from '../shared/Admin.module.css';
import { FailureReason } from '../shared/FailureReason';
import { useNames } from '../shared/useNames';

/** Events that a group of listeners failed on, to be replayed to it once the cause is fixed. */
export function Poison() {
  const { t, number } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const eventText = useEventText();
  const { listener } = useNames();
  const [params, setParams] = useSearchParams();
  const group = params.get('group') ?? '';
  useTitle(t('admin.poison'));
  const list = useInfiniteQuery({
    queryKey: keys.poison(group),
    queryFn: ({ pageParam, signal }) => listPoison({ group, first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: 15_000,
  });
  const replay = useMutation({
    mutationFn: (event: PoisonedEvent) => replayPoison(event.id),
    onSuccess: (_answer, event) => toasts.show({ text: t('poison.replayed', { group: listener(event.group) }) }),
    onError: (error, event) =>
      toasts.show({ text: asApiError(error).code === 'action_failed' ? t('poison.failedAgain', { group: listener(event.group) }) : errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.poisons }),
  });
  const groups = [...new Set(list.data?.pages.flatMap((page) => page.edges.map((event) => event.group)))].sort();

  return (
    <>
      <PageHead title={t('admin.poison')} hint={t('poison.hint')}>
        <Autocomplete
          className={classes.wide}
          aria-label={t('poison.group')}
          placeholder={t('poison.anyGroup')}
          value={group}
          onChange={(value) => setParams(value === '' ? {} : { group: value }, { replace: true })}
          data={groups}
          renderOption={({ option }) => <span><Named text={listener(option.value)} name={option.value} /></span>}
          clearable
          clearButtonProps={{ 'aria-label': t('action.clear') }}
        />
      </PageHead>
      <ListFrame list={list} empty={<Empty icon="check" title={t('poison.empty')} hint={t('poison.emptyHint')} />}>
        {(events: PoisonedEvent[]) => (
          <DataTable
            label={t('admin.poison')}
            rows={events}
            rowKey={(event) => event.id}
            columns={[
              {
                key: 'event',
                title: t('replay.slider'),
                cell: (event) => (
                  <div>
                    <EventName name={event.name} />
                    <div className={classes.muted}>
                      <code className={classes.id}>{event.eventId}</code>
                    </div>
                    <FailureReason text={event.reason} />
                  </div>
                ),
              },
              { key: 'group', title: t('poison.group'), cell: (event) => <div><Named text={listener(event.group)} name={event.group} /></div> },
              { key: 'replays', title: t('poison.replays'), end: true, minor: true, cell: (event) => number(event.replays) },
              { key: 'since', title: t('poison.since'), end: true, cell: (event) => <When iso={event.createdAt} /> },
              { key: 'last', title: t('poison.lastTry'), end: true, minor: true, cell: (event) => <When iso={event.updatedAt} /> },
              {
                key: 'action',
                title: t('admin.action'),
                actions: true,
                cell: (event) => (
                  <Button
                    size="compact-md"
                    variant="default"
                    aria-label={t('poison.replayOf', { name: eventText(event.name), group: listener(event.group) })}
                    loading={replay.isPending && replay.variables.id === event.id}
                    onClick={() => replay.mutate(event)}
                  >
                    {t('poison.replay')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </ListFrame>
    </>
  );
}

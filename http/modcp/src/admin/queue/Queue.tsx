import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { keys } from '../../api/queryKeys';
import { failTask, listQueue, retryTask } from '../../api/operations';
import type { QueueTask } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { Tag, type Tone } from '../../ui/Tag';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import { DataTable, type Column } from '../../ui/DataTable';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { Segments } from '../../ui/Segments';
import { Named } from '../shared/Named';
import classes from '../shared/Admin.module.css';
import { FailureReason } from '../shared/FailureReason';
import { corePlugin, useNames } from '../shared/useNames';

const states = ['pending', 'processing', 'completed', 'failed', 'unhandled'] as const;
const tones: Record<QueueTask['status'], Tone> = { pending: 'blue', processing: 'amber', completed: 'green', failed: 'red' };
const mayRetry = (task: QueueTask) => task.status === 'failed';

export function Queue() {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const names = useNames();
  const [params, setParams] = useSearchParams();
  const status = states.find((state) => state === params.get('status')) ?? '';
  useTitle(t('admin.queue'));
  const list = useInfiniteQuery({
    queryKey: keys.queue(status),
    queryFn: ({ pageParam, signal }) => listQueue({ first: 50, cursor: pageParam, status }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: 10_000,
  });
  // Listed by that filter alone: its tasks are pending, and no server takes them.
  const unhandled = status === 'unhandled';
  const mayAct = (task: QueueTask) => unhandled || mayRetry(task);
  const act = useMutation({
    mutationFn: (task: QueueTask) => (unhandled ? failTask : retryTask)(task.id),
    onSuccess: () => toasts.show({ text: t(unhandled ? 'queue.failedByHand' : 'queue.retried') }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.queues }),
  });

  const action: Column<QueueTask> = {
    key: 'action',
    title: t('admin.action'),
    actions: true,
    cell: (task) =>
      mayAct(task) && (
        <Button size="compact-md" variant="default" loading={act.isPending && act.variables.id === task.id} onClick={() => act.mutate(task)}>
          {t(unhandled ? 'queue.fail' : 'action.retry')}
        </Button>
      ),
  };

  return (
    <>
      <PageHead title={t('admin.queue')} hint={t('queue.hint')}>
        <div className={classes.wide}>
          <Segments
            fullWidth
            className={classes.choices}
            aria-label={t('replay.status')}
            value={status}
            onChange={(value) => setParams(value === '' ? {} : { status: value })}
            data={[{ value: '', label: t('board.all') }, ...states.map((state) => ({ value: state, label: t(`queue.${state}`) }))]}
          />
        </div>
      </PageHead>
      <ListFrame list={list} empty={<Empty title={t('queue.empty')} hint={t('queue.emptyHint')} />}>
        {(tasks: QueueTask[]) => (
          <DataTable
            label={t('admin.queue')}
            rows={tasks}
            rowKey={(task) => task.id}
            columns={[
              {
                key: 'task',
                title: t('queue.task'),
                cell: (task) => (
                  <div>
                    <Named text={names.task(task.name)} name={task.name} />
                    <div className={classes.muted}>
                      {task.pluginId !== corePlugin && <><bdi>{names.plugin(task.pluginId)}</bdi> · </>}
                      <bdi>{names.queue(task.queue)}</bdi>
                    </div>
                    {task.lastError !== null && task.lastError !== '' && <FailureReason text={task.lastError} />}
                  </div>
                ),
              },
              { key: 'status', title: t('replay.status'), cell: (task) => <TaskState task={task} /> },
              { key: 'attempts', title: t('queue.attempts'), end: true, minor: true, cell: (task) => t('admin.progress', { done: task.attempts, total: task.maxAttempts }) },
              { key: 'due', title: t('queue.available'), end: true, minor: true, cell: (task) => <When iso={task.availableAt} /> },
              { key: 'created', title: t('queue.created'), end: true, cell: (task) => <When iso={task.createdAt} /> },
              ...(tasks.some(mayAct) ? [action] : []),
            ]}
          />
        )}
      </ListFrame>
    </>
  );
}

function TaskState({ task: { status, attempts } }: { task: QueueTask }) {
  const { t } = useI18n();
  if (status === 'pending' && attempts > 0) return <Tag tone="amber">{t('queue.retrying')}</Tag>;
  return <Tag tone={tones[status]}>{t(`queue.${status}`)}</Tag>;
}

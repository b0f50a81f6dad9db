import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { keys } from '../api/queryKeys';
import { decideSecond, leaveSecond, nextSecond, type Second, type SecondTask } from '../api/seconds';
import { useI18n } from '../i18n/I18n';
import { Callout } from '../ui/Callout';
import { Icon } from '../ui/Icon';
import { Panel } from '../ui/Panel';
import { Empty } from '../ui/States';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { SecondForm, type Opinion } from './SecondForm';
import classes from './Seconds.module.css';
import { Task } from './Task';
import { VerdictLine } from './VerdictLine';

/** Takes one decision after another to decide it again. What was decided first is shown after one's own word. */
export function Turn({ tell }: { tell: (inTurn: boolean) => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [task, setTask] = useState<SecondTask | null>(null);
  const [answer, setAnswer] = useState<Second | null>(null);
  useEffect(() => {
    tell(task !== null);
  }, [task, tell]);

  // Which reports the server shows changes with each turn.
  const refresh = (reportId: string) => {
    client.removeQueries({ queryKey: keys.report(reportId) });
    return Promise.all([keys.reports, keys.cases, keys.seconds].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  const take = useMutation({
    mutationFn: nextSecond,
    onSuccess: (next) => {
      setAnswer(null);
      setTask(next ?? null);
      if (next !== undefined) void refresh(next.reportId);
    },
  });
  const decide = useMutation({
    mutationFn: ({ id, opinion }: { id: string; opinion: Opinion }) => decideSecond(id, opinion.resolution, opinion.policy),
    onSuccess: (second) => {
      setTask(null);
      setAnswer(second);
      void refresh(second.reportId);
    },
  });
  const leave = useMutation({
    mutationFn: ({ id }: SecondTask) => leaveSecond(id),
    onSuccess: (_, { reportId }) => {
      setTask(null);
      take.reset();
      toasts.show({ text: t('seconds.left') });
      void refresh(reportId);
    },
  });
  const failure = decide.error ?? leave.error;

  const takeNext = () => {
    decide.reset();
    leave.reset();
    take.mutate();
  };
  const next = (text: string) => (
    <Button autoFocus={answer !== null} loading={take.isPending} leftSection={<Icon name="play" size={16} />} onClick={takeNext}>
      {text}
    </Button>
  );

  if (task !== null) {
    return (
      <div className={classes.columns}>
        <Task task={task} />
        <Panel id="second-decide" title={t('seconds.decide')}>
          {failure !== null && (
            <Callout tone="red" alert title={t('seconds.refused')}>
              {errorText(failure)} {next(t('seconds.another'))}
            </Callout>
          )}
          <SecondForm key={task.id} task={task} sending={decide.isPending} send={(opinion) => decide.mutate({ id: task.id, opinion })} leaving={leave.isPending} leave={() => leave.mutate(task)} />
        </Panel>
      </div>
    );
  }
  return (
    <div className={classes.turn}>
      {take.isError && (
        <Callout tone="red" alert>
          {errorText(take.error)}
        </Callout>
      )}
      {answer !== null ? (
        <Panel>
          <Callout tone={answer.status === 'agreed' ? 'blue' : 'amber'} alert>
            {t(answer.status === 'agreed' ? 'seconds.agreed' : 'seconds.disputed')}
          </Callout>
          <dl className={classes.both}>
            <dt>{t('seconds.first')}</dt>
            <dd>
              <VerdictLine verdict={answer.first} />
            </dd>
            <dt>{t('seconds.second')}</dt>
            <dd>
              <VerdictLine verdict={answer.second} />
            </dd>
          </dl>
          <div className={classes.foot}>
            <Link to={`/modcp/reports/${answer.reportId}`}>{t('seconds.toReport')}</Link>
            {next(t('seconds.another'))}
          </div>
        </Panel>
      ) : take.isSuccess && take.data === undefined ? (
        <Empty icon="check" title={t('seconds.nothing')} hint={t('seconds.nothingHint')}>
          {next(t('action.retry'))}
        </Empty>
      ) : (
        next(t('seconds.next'))
      )}
    </div>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LoggedEvent } from '../../api/audit';
import { keys } from '../../api/queryKeys';
import { replayReport } from '../../api/reports';
import { useI18n } from '../../i18n/I18n';
import { ReplayedReport } from '../../report/replay/ReplayedReport';
import { readState, type ReplayState } from '../../report/replay/replayState';
import { StepSlider } from '../../report/replay/StepSlider';
import classes from '../../report/replay/Replay.module.css';
import { Dialog } from '../../ui/Dialog';
import { Failure, Loading } from '../../ui/States';
import { EventName } from './EventName';
import own from '../shared/Admin.module.css';

/** Replays the report of an event, for auditors too, who may not open the report itself. */
export function EventReplay({ event, close }: { event: LoggedEvent; close: () => void }) {
  const { t } = useI18n();
  const last = useQuery({
    queryKey: keys.replay(event.reportId, 'last'),
    queryFn: async ({ signal }) => {
      const answer = await replayReport(event.reportId, undefined, signal);
      return { state: readState(answer), title: (answer.snapshot as { title?: string } | null)?.title };
    },
  });
  return (
    <Dialog close={close} size="lg" title={t('replay.title')}>
      {last.isPending ? <Loading /> : last.isError ? <Failure error={last.error} /> : <Track event={event} last={last.data.state} title={last.data.title} />}
    </Dialog>
  );
}

function Track({ event, last, title }: { event: LoggedEvent; last: ReplayState; title: string | undefined }) {
  const { t, date } = useI18n();
  const [step, setStep] = useState(event.sequence);
  const state = useQuery({
    queryKey: keys.replay(event.reportId, step),
    queryFn: async ({ signal }) => readState(await replayReport(event.reportId, step, signal)),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const total = Math.max(last.sequence, event.sequence);
  return (
    <div className={classes.replay}>
      <p className={own.which}>
        {title !== undefined && <bdi className={own.name}>{title} </bdi>}
        <code className={own.id}>{event.reportId}</code>
        <span>
          {t('events.replayed', { position: event.position })} <EventName name={event.type} />
        </span>
      </p>
      <StepSlider total={total} step={step} onChange={setStep} />
      <p className={classes.when} aria-live="polite">
        {t('replay.step', { step, total })}
        {state.data !== undefined && state.data.at !== '' && <> · {date(state.data.at)}</>}
      </p>
      {state.isError ? <Failure error={state.error} /> : state.data === undefined ? <Loading rows={3} /> : <ReplayedReport state={state.data} />}
    </div>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/queryKeys';
import { readTimeline, replayReport } from '../../api/reports';
import type { Report, TimelineEntry } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Dialog } from '../../ui/Dialog';
import { Icon } from '../../ui/Icon';
import { Failure, Loading } from '../../ui/States';
import { ReplayedReport } from './ReplayedReport';
import { readState } from './replayState';
import classes from './Replay.module.css';
import { StepSlider } from './StepSlider';
import { useEntryText } from '../timeline/useEntryText';
import { wholeTimeline } from '../timeline/wholeTimeline';

/** A slider over the report's events: the report as it stood after each. */
export function Replay({ report, close }: { report: Report; close: () => void }) {
  const { t } = useI18n();
  const entries = useQuery({
    queryKey: [...keys.timeline(report.id), 'replay'],
    queryFn: ({ signal }) => wholeTimeline((cursor) => readTimeline(report.id, { first: 100, cursor }, signal)),
  });
  return (
    <Dialog close={close} size="lg" title={t('replay.title')}>
      {entries.isPending ? <Loading /> : entries.isError ? <Failure error={entries.error} /> : <Track report={report} entries={entries.data} />}
    </Dialog>
  );
}

function Track({ report, entries }: { report: Report; entries: TimelineEntry[] }) {
  const { t, date } = useI18n();
  const [step, setStep] = useState(entries.length);
  const text = useEntryText(report);
  const entry = entries[step - 1];
  const state = useQuery({
    queryKey: keys.replay(report.id, entry?.sequence ?? 0),
    queryFn: async ({ signal }) => readState(await replayReport(report.id, entry?.sequence, signal)),
    enabled: entry !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  if (entry === undefined) return null;
  return (
    <div className={classes.replay}>
      <StepSlider total={entries.length} step={step} onChange={setStep} />
      <p className={classes.when}>
        {t('replay.step', { step, total: entries.length })} · {date(entry.occurredAt)}
      </p>
      <p className={classes.event} aria-live="polite">
        <Icon name="history" size={16} /> <bdi>{text(entry)}</bdi>
      </p>
      {state.isError ? <Failure error={state.error} collection /> : state.data === undefined ? <Loading rows={3} /> : <ReplayedReport state={state.data} />}
    </div>
  );
}

import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useQueries } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { readTimeline } from '../../api/reports';
import type { Report, ReportItem } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import classes from './Activity.module.css';
import { NoteComposer } from '../notes/NoteComposer';
import { TimelineItem } from './TimelineItem';
import type { ReportCommands } from '../work/useReportCommands';
import type { OpenReport } from '../useReport';

const Replay = lazy(() => import('../replay/Replay').then((m) => ({ default: m.Replay })));

interface Props {
  open: OpenReport;
  report: Report;
  commands: ReportCommands;
  noteAsked: boolean;
  noteTaken: () => void;
  /** Other reports on the same content, whose notes and events are told among these. */
  others?: readonly ReportItem[];
}

/** How many other reports are read. */
const othersRead = 20;
const perReport = 50;

/** Notes and events in one timeline. */
export function Activity({ open, report, commands, noteAsked, noteTaken, others = [] }: Props) {
  const { t } = useI18n();
  const [replaying, setReplaying] = useState(false);
  const { timeline } = open;
  const told = useQueries({
    queries: others.slice(0, othersRead).map(({ id }) => ({ queryKey: [...keys.timeline(id), 'newest'], queryFn: ({ signal }: { signal: AbortSignal }) => readTimeline(id, { first: perReport, order: 'desc' }, signal) })),
    combine: (all) => all.flatMap(({ data }, index) => (data?.edges ?? []).map((entry) => ({ entry, of: others[index]! }))),
  });
  const entries = [...open.entries.map((entry) => ({ entry, of: report })), ...told].sort((a, b) => b.entry.occurredAt.localeCompare(a.entry.occurredAt) || b.entry.sequence - a.entry.sequence);
  return (
    <Panel
      id="activity"
      title={t('report.activity')}
      aside={
        <Button size="compact-sm" variant="default" leftSection={<Icon name="history" size={14} />} onClick={() => setReplaying(true)}>
          {t('replay.open')}
        </Button>
      }
    >
      <NoteComposer key={report.id} reportId={report.id} commands={commands} refresh={open.refresh} asked={noteAsked} taken={noteTaken} canWrite={report.moves.length > 0 || report.ownDecision} />
      <ol className={classes.list}>
        {entries.map(({ entry, of }) => (
          <TimelineItem key={entry.id} entry={entry} report={of} commands={commands} refresh={open.refresh} />
        ))}
      </ol>
      {timeline.hasNextPage && (
        <Button fullWidth mt="sm" variant="default" size="compact-md" loading={timeline.isFetchingNextPage} onClick={() => void timeline.fetchNextPage()}>
          {t('action.more')}
        </Button>
      )}
      {replaying && (
        <Suspense>
          <Replay report={report} close={() => setReplaying(false)} />
        </Suspense>
      )}
    </Panel>
  );
}

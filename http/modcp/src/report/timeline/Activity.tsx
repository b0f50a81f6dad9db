import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Report } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import classes from './Activity.module.css';
import { NoteComposer } from '../notes/NoteComposer';
import { TimelineItem } from './TimelineItem';
import type { ReportCommands } from '../work/useReportCommands';
import type { OpenReport } from '../useReport';
import type { History } from './useHistory';

const Replay = lazy(() => import('../replay/Replay').then((m) => ({ default: m.Replay })));

interface Props {
  history: History;
  open: OpenReport;
  report: Report;
  commands: ReportCommands;
  noteAsked: boolean;
  noteTaken: () => void;
}

/** Notes and events in one timeline. */
export function Activity({ history: { entries }, open, report, commands, noteAsked, noteTaken }: Props) {
  const { t } = useI18n();
  const [replaying, setReplaying] = useState(false);
  const { timeline } = open;
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
      <ol className={`bare ${classes.list}`}>
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

import type { Report, TimelineEntry } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Icon, type IconName } from '../ui/Icon';
import { When } from '../ui/When';
import classes from './Activity.module.css';
import { NoteView } from './NoteView';
import type { ReportCommands } from './useCommands';
import { useEntryText } from './useEntryText';

const icons: Record<string, IconName> = {
  created: 'flag',
  assigned: 'user',
  note_added: 'note',
  note_updated: 'pencil',
  note_deleted: 'trash',
  action: 'bolt',
  resolved: 'check',
  reopened: 'undo',
};

export function TimelineItem({ entry, report, commands, refresh }: { entry: TimelineEntry; report: Report; commands: ReportCommands; refresh: () => Promise<void> }) {
  const { t } = useI18n();
  const text = useEntryText(report)(entry);
  const { data } = entry;
  const said = entry.type === 'resolved' ? data.explanation : entry.type === 'reopened' ? data.reason : null;
  return (
    <li className={classes.entry}>
      <span className={classes.mark}>
        <Icon name={icons[entry.type] ?? 'info'} size={13} />
      </span>
      <div>
        <p className={classes.line}>
          <bdi>{text}</bdi> <When iso={entry.occurredAt} />
        </p>
        {said !== null && said !== undefined && said !== '' && (
          <p className={classes.words} dir="auto">
            {said}
          </p>
        )}
        {data.erased === true && <p className={classes.gone}>{t('state.erased')}</p>}
        {data.note !== undefined && <NoteView note={data.note} reportId={report.id} commands={commands} refresh={refresh} />}
      </div>
    </li>
  );
}

import { Link } from 'react-router';
import type { TimelineEntry } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Icon, type IconName } from '../../ui/Icon';
import { When } from '../../ui/When';
import classes from './Activity.module.css';
import { NoteView } from '../notes/NoteView';
import type { ReportCommands } from '../work/useReportCommands';
import { useEntryText, type Parties } from './useEntryText';
import { PolicyLink } from '../../decision/PolicyLink';
import { Words } from '../../richtext/Words';

const icons: Record<string, IconName> = {
  created: 'flag',
  assigned: 'user',
  note_added: 'note',
  note_updated: 'pencil',
  note_deleted: 'trash',
  note_pinned: 'note',
  decision_held: 'clock',
  held_released: 'check',
  held_lapsed: 'clock',
  action: 'bolt',
  resolved: 'check',
  reopened: 'undo',
  appealed: 'scales',
  appeal_decided: 'scales',
  action_requested: 'clock',
  action_failed: 'warning',
  overdue: 'clock',
  escalated: 'users',
  returned: 'undo',
  measure_imposed: 'shield',
  measure_ended: 'undo',
  measure_pending: 'clock',
  measure_confirmed: 'check',
  measure_failed: 'warning',
  signalled: 'info',
  rule_matched: 'bolt',
  second_decided: 'check',
  second_settled: 'check',
};

export function TimelineItem({ entry, report, commands, refresh }: { entry: TimelineEntry; report: Parties; commands: ReportCommands; refresh: () => Promise<void> }) {
  const { t } = useI18n();
  const text = useEntryText(report)(entry);
  const { data } = entry;
  const said = wordsOf(entry);
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
        {data.policy != null && (entry.type === 'resolved' || entry.type === 'decision_held') && (
          <p className={classes.words}>
            <PolicyLink policy={data.policy} />
          </p>
        )}
        {data.reasons != null && (
          <div className={classes.words}>
            <Words body={data.reasons} />
          </div>
        )}
        {data.because === 'ladder' && <p className={classes.gone}>{t('measure.byLadderFor', { strikes: data.threshold ?? 0 })}</p>}
        {entry.type === 'appealed' && data.appealId !== undefined && (
          <p className={classes.words}>
            <Link to={`/modcp/appeals/${data.appealId}`}>{t('appeals.open')}</Link>
          </p>
        )}
        {data.erased === true && <p className={classes.gone}>{t('state.erased')}</p>}
        {data.note !== undefined && <NoteView note={data.note} reportId={report.id} commands={commands} refresh={refresh} />}
      </div>
    </li>
  );
}

/** What somebody wrote in an entry, as plain text. */
function wordsOf({ type, data }: TimelineEntry): string | null | undefined {
  switch (type) {
    case 'resolved':
    case 'decision_held':
      return data.explanation;
    case 'reopened':
    case 'held_released':
    case 'action_failed':
    case 'measure_ended':
    case 'measure_failed':
    case 'second_settled':
      return data.reason;
    case 'appealed':
    case 'escalated':
    case 'returned':
      return data.text;
    case 'appeal_decided':
      return data.reply;
    default:
      return null;
  }
}

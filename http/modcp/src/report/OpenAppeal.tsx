import { Link } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { Callout } from '../ui/Callout';
import { LongText } from '../ui/LongText';
import type { HistoryEntry } from './timeline/useHistory';

/** An appeal of the decision that nobody has decided yet, with the way to it. */
export function OpenAppeal({ entries }: { entries: readonly HistoryEntry[] }) {
  const { t } = useI18n();
  const decided = new Set(entries.flatMap(({ entry: { type, data } }) => (type === 'appeal_decided' ? [data.appealId] : [])));
  const open = entries.find(({ entry: { type, data } }) => type === 'appealed' && data.appealId !== undefined && !decided.has(data.appealId))?.entry.data;
  if (open === undefined) return null;
  return (
    <Callout tone="amber" title={t(open.by === 'reporter' ? 'appeal.openByReporter' : 'appeal.openByAuthor')}>
      {open.text != null && open.text !== '' && <LongText text={open.text} />}
      <Link to={`/modcp/appeals/${open.appealId}`}>{t('appeals.open')}</Link>
    </Callout>
  );
}

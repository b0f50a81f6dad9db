import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { pinNote } from '../../api/reports';
import type { Pin } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Words } from '../../richtext/Words';
import { usePermission } from '../../session/usePermission';
import { Callout } from '../../ui/Callout';
import { Icon } from '../../ui/Icon';
import { useErrorText } from '../../ui/useErrorText';
import { When } from '../../ui/When';
import type { ReportCommands } from '../work/useReportCommands';
import classes from './NotesToRead.module.css';
import type { NotesToReadState } from './useNotesToRead';

/** Notes of colleagues that are pinned or were not read yet, above the verdicts. */
export function NotesToRead({ notes: { notes, asked, read, error, retry }, commands, refresh }: { notes: NotesToReadState; commands: ReportCommands; refresh: () => Promise<void> }) {
  const { t, date } = useI18n();
  const errorText = useErrorText();
  const manages = usePermission('can_manage_reports');
  const unpin = ({ reportId, noteId }: Pin) => void pinNote(reportId, noteId, null).then(refresh, commands.refused);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked) place.current?.scrollIntoView({ block: 'nearest' });
  }, [asked]);
  const failure = error !== undefined && (
    <Callout tone="red" alert title={t('notes.unknown')}>
      {errorText(error)}{' '}
      <Button size="compact-sm" variant="default" onClick={retry}>
        {t('action.retry')}
      </Button>
    </Callout>
  );
  if (notes.length === 0) return failure;
  return (
    <section ref={place} className={classes.notes} aria-label={t('notes.toRead')} data-asked={asked || undefined}>
      {failure}
      {asked && (
        <p className={classes.ask} role="alert">
          <Icon name="warning" size={16} /> {t('notes.ask')}
        </p>
      )}
      <ul className={classes.list}>
        {notes.map(({ note, pinned }) => (
          <li key={(note?.id ?? pinned?.noteId)!}>
            <p className={classes.by}>
              <Icon name={pinned === null ? 'note' : 'pin'} size={14} />
              {note !== null && <bdi>{note.author?.name ?? t('state.deletedAccount')}</bdi>} {note !== null && <When iso={note.editedAt ?? note.createdAt} />}
              {pinned !== null && <span>{t('notes.pinnedUntil', { time: date(pinned.until) })}</span>}
              {pinned !== null && manages && (
                <Button size="compact-xs" variant="subtle" onClick={() => unpin(pinned)}>
                  {t('notes.unpin')}
                </Button>
              )}
            </p>
            {note === null ? <Link to={`/modcp/reports/${pinned!.reportId}`}>{t('notes.furtherBack')}</Link> : <Words body={note.body!} />}
          </li>
        ))}
      </ul>
      {notes.some(({ pinned }) => pinned === null) && (
        <Button size="compact-sm" variant="default" leftSection={<Icon name="check" size={14} />} onClick={read}>
          {t('notes.read')}
        </Button>
      )}
    </section>
  );
}

import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import type { ReportItem } from '../api/types';
import { TextDifference } from '../compare/TextDifference';
import { useI18n } from '../i18n/I18n';
import { ReporterRecord } from '../report/records/ReporterRecord';
import { MuteButton } from '../reporters/MuteButton';
import { usePermission } from '../session/usePermission';
import { useUser } from '../session/useSession';
import { Due } from '../ui/Due';
import { Panel } from '../ui/Panel';
import { PersonName } from '../ui/PersonName';
import { ReasonTag } from '../ui/Tag';
import { When } from '../ui/When';
import classes from './Cases.module.css';

interface Props {
  rows: ReportItem[];
  /** The report whose evidence is shown. */
  first: ReportItem;
  total: number;
  more: (() => void) | null;
  loading: boolean;
}

/** Everybody who reported the content, with their reasons, words and records. */
export function CaseReports({ rows, first, total, more, loading }: Props) {
  const { t } = useI18n();
  return (
    <Panel id="case-reports" title={t('cases.openReports', { count: total })}>
      <ul className={classes.reports}>
        {rows.map((row) => (
          <CaseReport key={row.id} row={row} first={first} />
        ))}
      </ul>
      {more !== null && (
        <Button variant="default" loading={loading} onClick={more}>
          {t('action.more')}
        </Button>
      )}
    </Panel>
  );
}

function CaseReport({ row, first }: { row: ReportItem; first: ReportItem }) {
  const { t } = useI18n();
  const self = useUser();
  const mayMute = usePermission('can_mute_reporters');
  const { search } = useLocation();
  const differs = row.title !== first.title || row.excerpt !== first.excerpt;
  return (
    <li>
      <div className={classes.by}>
        <ReasonTag reason={row.reason} />
        <PersonName person={row.reporter} />
        <When iso={row.createdAt} aged short />
        {row.dueAt !== null && <Due iso={row.dueAt} />}
        {row.assignee !== null && row.status === 'in_progress' && (
          <span className={classes.muted}>{row.assignee.id === self?.id ? t('cases.heldByYou') : t('board.takenBy', { name: row.assignee.name })}</span>
        )}
        <Link to={`/modcp/reports/${row.id}${search}`}>{t('cases.openReport')}</Link>
        {mayMute && row.reporter !== null && <MuteButton reporter={row.reporter} text={t('reporters.mutes')} />}
      </div>
      {row.description !== null && row.description !== '' && (
        <p className={classes.words} dir="auto">
          {row.description}
        </p>
      )}
      {row.reporter !== null && <ReporterRecord reporter={row.reporter} />}
      {differs && (
        <div>
          <p className={classes.muted}>{t('cases.differs')}</p>
          <TextDifference before={`${first.title ?? ''}\n${first.excerpt ?? ''}`} after={`${row.title ?? ''}\n${row.excerpt ?? ''}`} />
        </div>
      )}
    </li>
  );
}

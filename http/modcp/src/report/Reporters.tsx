import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import type { Report, ReportItem } from '../api/types';
import { defaultFilters, writeFilters } from '../board/filters';
import { casePath } from '../cases/caseLinks';
import { TextDifference } from '../compare/TextDifference';
import { PolicyLink } from '../decision/PolicyLink';
import { useI18n } from '../i18n/I18n';
import { MuteButton } from '../reporters/MuteButton';
import { MuteStatus } from '../reporters/MuteStatus';
import { usePermission } from '../session/usePermission';
import { useUser } from '../session/useSession';
import { Due } from '../ui/Due';
import { Icon } from '../ui/Icon';
import { LongText } from '../ui/LongText';
import { Panel } from '../ui/Panel';
import { PersonName } from '../ui/PersonName';
import { FlaggerTag, ReasonTag, ResolutionTag, Tag } from '../ui/Tag';
import { When } from '../ui/When';
import { ReporterRecord } from './records/ReporterRecord';
import { TargetRecord } from './records/TargetRecord';
import classes from './Reporters.module.css';
import type { TogetherReports } from './together';

interface Props {
  /** The report on show. */
  report: Report;
  /** The other reports on the content, or all that are decided together. */
  rows: readonly ReportItem[];
  together: TogetherReports | null;
  /** True where there are more than these. */
  more: boolean;
}

/** Everybody who reported the content, with their reasons, words and records, and how it went before. */
export function Reporters({ report, rows, together, more }: Props) {
  const { t } = useI18n();
  const { search } = useLocation();
  const shown = together?.rows[0] ?? null;
  const open = rows.filter((row) => row.status !== 'done').length;
  return (
    <Panel
      id="reporters"
      title={together === null ? t('report.reportedBy') : t('cases.openReports', { count: together.total })}
      aside={
        together === null && report.status !== 'done' && open > 0 ? (
          <Button component={Link} to={casePath(report.target, search)} size="compact-sm" variant="default" leftSection={<Icon name="layers" size={14} />}>
            {t('report.asCase', { count: open + 1 })}
          </Button>
        ) : undefined
      }
    >
      <ul className={`bare ${classes.list}`}>
        {together === null && <Reporter row={report} main differs={null} />}
        {rows.map((row) => (
          <Reporter key={row.id} row={row} main={row.id === report.id} differs={shown !== null && (row.title !== shown.title || row.excerpt !== shown.excerpt) ? [`${shown.title ?? ''}\n${shown.excerpt ?? ''}`, `${row.title ?? ''}\n${row.excerpt ?? ''}`] : null} />
        ))}
      </ul>
      {together !== null && together.more !== null && (
        <Button variant="default" loading={together.loading} onClick={together.more}>
          {t('action.more')}
        </Button>
      )}
      {more && (
        <Link to={{ pathname: '/modcp/reports', search: writeFilters({ ...defaultFilters, status: 'all', type: report.target.type, target: report.target.id }).toString() }}>{t('report.allOnTarget')}</Link>
      )}
      <TargetRecord target={report.target} />
    </Panel>
  );
}

type Row = Report | ReportItem;

/** One report: by whom, why, in which words. */
function Reporter({ row, main, differs }: { row: Row; main: boolean; differs: [before: string, after: string] | null }) {
  const { t } = useI18n();
  const self = useUser();
  const mayMute = usePermission('can_mute_reporters');
  const { search, pathname } = useLocation();
  const path = `/modcp/reports/${row.id}`;
  return (
    <li>
      <div className={classes.by}>
        <ReasonTag reason={row.reason} />
        {row.source === 'trusted_flagger' ? (
          <FlaggerTag />
        ) : (
          row.source !== undefined && row.source !== 'member' && <Tag>{t(`source.${row.source}`)}</Tag>
        )}
        <PersonName person={row.reporter} />
        {'flagger' in row && row.flagger != null && <bdi className={classes.muted}>{row.flagger.name}</bdi>}
        <When iso={row.createdAt} aged={row.status !== 'done'} />
        {row.dueAt !== null && row.status !== 'done' && <Due iso={row.dueAt} />}
        {row.muted && <Tag tone="amber">{t('reporters.filedMuted')}</Tag>}
        {!main && row.resolution !== null && <ResolutionTag resolution={row.resolution} />}
        {row.assignee !== null && row.status === 'in_progress' && (
          <span className={classes.muted}>{row.assignee.id === self?.id ? t('cases.heldByYou') : t('board.takenBy', { name: row.assignee.name })}</span>
        )}
        {pathname !== path && <Link to={`${path}${search}`}>{t('cases.openReport')}</Link>}
      </div>
      {'notice' in row && row.notice != null && (
        <div className={classes.muted}>
          <p dir="auto">
            {row.notice.name === null ? t('notice.byNobody') : t('notice.by', { name: row.notice.name })} {row.notice.email !== null && <bdi>{row.notice.email}</bdi>}
          </p>
          {row.notice.law !== null && <p dir="auto">{t('notice.lawNamed', { law: row.notice.law })}</p>}
        </div>
      )}
      {row.allegedPolicy != null && (
        <p className={classes.muted}>
          {t('decision.policy')}: <PolicyLink policy={row.allegedPolicy} />
        </p>
      )}
      {row.description !== null && row.description !== '' ? (
        <LongText className={classes.words} text={row.description} />
      ) : (
        <p className={classes.muted}>{t(row.erased === true ? 'state.erased' : 'report.noDetails')}</p>
      )}
      {row.reporter !== null && (
        <div className={classes.record}>
          <ReporterRecord reporter={row.reporter} />
          {main ? <MuteStatus reporter={row.reporter} /> : mayMute && <MuteButton reporter={row.reporter} text={t('reporters.mutes')} />}
        </div>
      )}
      {differs !== null && (
        <div>
          <p className={classes.muted}>{t('cases.differs')}</p>
          <TextDifference before={differs[0]} after={differs[1]} />
        </div>
      )}
    </li>
  );
}

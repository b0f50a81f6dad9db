import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Due } from '../ui/Due';
import { Panel } from '../ui/Panel';
import { PersonName } from '../ui/PersonName';
import { ReasonTag, Tag } from '../ui/Tag';
import { When } from '../ui/When';
import classes from './ReporterAndReason.module.css';
import { ReporterRecord } from './records/ReporterRecord';
import { MuteStatus } from '../reporters/MuteStatus';

/** Who reported, their record, why, and when. */
export function ReporterAndReason({ report }: { report: Report }) {
  const { t } = useI18n();
  return (
    <Panel id="reporter" title={t('report.reportedBy')}>
      <div className={classes.top}>
        <PersonName person={report.reporter} />
        <span className={classes.when}>
          <When iso={report.createdAt} aged={report.status !== 'done'} />
          {report.dueAt !== null && report.status !== 'done' && <Due iso={report.dueAt} />}
        </span>
      </div>
      {report.reporter !== null && (
        <div className={classes.reporter}>
          <ReporterRecord reporter={report.reporter} />
          <MuteStatus reporter={report.reporter} />
        </div>
      )}
      <div className={classes.why}>
        <ReasonTag reason={report.reason} /> {report.muted && <Tag tone="amber">{t('reporters.filedMuted')}</Tag>}
        {report.description !== null && report.description !== '' ? (
          <blockquote className={classes.quote} dir="auto">
            <p className={classes.words}>{report.description}</p>
          </blockquote>
        ) : (
          <p className={classes.none}>{t(report.erased === true ? 'state.erased' : 'report.noDetails')}</p>
        )}
      </div>
    </Panel>
  );
}

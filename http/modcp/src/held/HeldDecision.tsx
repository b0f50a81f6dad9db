import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { releaseHeld, type HeldDetail } from '../api/held';
import { keys } from '../api/queryKeys';
import { readReport } from '../api/reports';
import type { Report } from '../api/types';
import { PolicyLink } from '../decision/PolicyLink';
import { useI18n } from '../i18n/I18n';
import { MeasureTag } from '../measures/MeasureTag';
import { actionLabel } from '../report/work/actionLabel';
import type { ReportCommands } from '../report/work/useReportCommands';
import { Words } from '../richtext/Words';
import { Icon } from '../ui/Icon';
import { explanationLimit, length } from '../ui/limits';
import { PersonName } from '../ui/PersonName';
import { ResolutionTag } from '../ui/Tag';
import { useToasts } from '../ui/Toasts';
import { When } from '../ui/When';
import classes from './Held.module.css';
import { Releasers } from './Releasers';

/** A decision that waits: what it would do, and, for who can release it, its two keys. */
export function HeldDecision({ report, held, commands }: { report: Report; held: HeldDetail; commands: ReportCommands }) {
  const { t, date } = useI18n();
  const nameOf = (id: string) => report.snapshot?.authors.find((author) => author.id === id)?.name ?? id;
  return (
    <section className={classes.held} aria-label={t('held.title')}>
      <p className={classes.line}>
        <strong className={classes.title}>
          <Icon name="clock" size={16} /> {t('held.title')}
        </strong>
        {held.resolution !== null && <ResolutionTag resolution={held.resolution} />}
        <PersonName person={held.by} plain />
        <When iso={held.at} />
      </p>
      <p className={`small ${classes.muted}`}>{t('held.nothingDone')}</p>
      {held.action !== null && <p className={classes.part}>{t('held.action', { action: actionLabel(t, held.action) })}</p>}
      {held.policy !== null && (
        <p className={classes.part}>
          <PolicyLink policy={held.policy} />
        </p>
      )}
      {held.measures.map((measure) => (
        <p key={`${measure.author.id} ${measure.kind}`} className={classes.line}>
          <MeasureTag kind={measure.kind} ended={false} /> <bdi>{nameOf(measure.author.id)}</bdi> {measure.until !== null && <span className={`small ${classes.muted}`}>{date(measure.until)}</span>}
        </p>
      ))}
      {held.explanation !== null && (
        <p className={classes.words} dir="auto">
          {held.explanation}
        </p>
      )}
      {held.reasons != null && (
        <div className={classes.words}>
          <Words body={held.reasons} />
        </div>
      )}
      {held.erased === true && <p className={`small ${classes.muted}`}>{t('state.erased')}</p>}
      {held.reports.length > 1 && <p className={classes.part}>{t('held.reports', { count: held.reports.length })}</p>}
      <p className={`small ${classes.muted}`}>
        {t('held.until', { time: date(held.expiresAt) })} · <Releasers people={held.releasers} />
      </p>
      {held.releasable && <Release report={report} held={held} commands={commands} />}
    </section>
  );
}

function Release({ report, held, commands }: { report: Report; held: HeldDetail; commands: ReportCommands }) {
  const { t, number } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const [reason, setReason] = useState('');
  const tooLong = length(reason) > explanationLimit;
  const release = useMutation({
    mutationFn: async (verdict: 'approve' | 'reject') => {
      const first = held.reports[0] ?? report.id;
      const { version } = first === report.id ? report : await readReport(first);
      return releaseHeld(held.id, verdict, version, reason.trim());
    },
    onSuccess: (next, verdict) => {
      if (next.id === report.id) commands.accept(next);
      toasts.show({ text: t(verdict === 'approve' ? 'held.approved' : 'held.rejected') });
    },
    onError: commands.refused,
    onSettled: () => {
      for (const queryKey of [keys.openReports, keys.held, keys.cases, keys.reports]) void client.invalidateQueries({ queryKey });
    },
  });
  return (
    <div className={classes.release}>
      <Textarea label={t('held.reason')} autosize minRows={1} maxRows={6} value={reason} error={tooLong ? t('report.tooLong', { limit: number(explanationLimit) }) : undefined} onChange={(event) => setReason(event.currentTarget.value)} />
      <div className={classes.keys}>
        <Button leftSection={<Icon name="check" size={16} />} disabled={tooLong} loading={release.isPending} onClick={() => release.mutate('approve')}>
          {t('held.approve')}
        </Button>
        <Button variant="default" leftSection={<Icon name="close" size={16} />} disabled={tooLong || release.isPending} onClick={() => release.mutate('reject')}>
          {t('held.reject')}
        </Button>
      </div>
    </div>
  );
}

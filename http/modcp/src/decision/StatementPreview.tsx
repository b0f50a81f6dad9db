import type { Decision } from '../api/reports';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { DecisionStatement } from './DecisionStatement';
import classes from './DecisionStatement.module.css';

/** What the author of the content will read about a decision that is being written. */
export function StatementPreview({ report, decision, action, close }: { report: Report; decision: Decision; action: string | null; close: () => void }) {
  const { t, label } = useI18n();
  const title = report.snapshot?.title ?? '';
  return (
    <Dialog close={close} title={t('statement.preview')}>
      <p className={classes.title}>
        {label(report.target.label)}: <bdi>{title === '' ? t('board.untitled') : title}</bdi>
      </p>
      <DecisionStatement
        toAuthor
        resolution={decision.resolution}
        decision={{
          policy: decision.policy ?? null,
          reasons: decision.reasons ?? null,
          actions: action === 'hide' || (report.target.current?.hidden === true && action !== 'unhide') ? ['hide'] : [],
          appealableUntil: null,
        }}
      />
      <p className={classes.note}>{t('statement.previewHint')}</p>
    </Dialog>
  );
}

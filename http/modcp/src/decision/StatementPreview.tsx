import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { informsAuthor, type Decision } from '../api/reports';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { DecisionStatement } from './DecisionStatement';
import classes from './DecisionStatement.module.css';

const DatabasePreview = lazy(() => import('./DatabasePreview').then((m) => ({ default: m.DatabasePreview })));

/** Shows what the author will read, where the decision informs them. */
export function PreviewButton({ report, decision, action }: { report: Report; decision: Decision | null; action: string | null }) {
  const { t } = useI18n();
  const [opened, setOpened] = useState(false);
  if (decision === null || !informsAuthor(decision)) return null;
  return (
    <>
      <Button className={classes.preview} size="compact-sm" variant="default" leftSection={<Icon name="eye" size={14} />} onClick={() => setOpened(true)}>
        {t('statement.preview')}
      </Button>
      {opened && <StatementPreview report={report} decision={decision} action={action} close={() => setOpened(false)} />}
    </>
  );
}

/** What the author of the content will read about a decision that is being written. */
function StatementPreview({ report, decision, action, close }: { report: Report; decision: Decision; action: string | null; close: () => void }) {
  const { t, label } = useI18n();
  const title = report.snapshot?.title ?? '';
  const authors = report.snapshot?.authors ?? [];
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
        measures={decision.measures?.map(({ authorId, kind, until }) => ({ kind, until, author: authors.length > 1 ? (authors.find(({ id }) => id === authorId)?.name ?? '') : null }))}
      />
      <p className={classes.note}>{t('statement.previewHint')}</p>
      <Suspense>
        <DatabasePreview report={report} decision={decision} action={action} />
      </Suspense>
    </Dialog>
  );
}

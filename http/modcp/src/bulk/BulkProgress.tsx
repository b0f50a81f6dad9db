import { Button, CloseButton, Progress } from '@mantine/core';
import { useState } from 'react';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { useErrorText } from '../ui/useErrorText';
import classes from './BulkProgress.module.css';
import type { BulkItem, BulkKind, BulkOrder, Phase } from './job';

interface Props {
  phase: Phase;
  undo: () => void;
  now: (order: BulkOrder) => void;
  close: () => void;
  retry: (kind: BulkKind, items: BulkItem[]) => void;
}

export function BulkProgress({ phase, undo, now, close, retry }: Props) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [details, setDetails] = useState(false);
  const { order } = phase;
  const what = t(`move.${order.kind}`);

  if (phase.name === 'waiting') {
    return (
      <div className={classes.bar} role="region" aria-label={what}>
        <Icon name="clock" />
        <span className={classes.text}>
          <strong>{what}:</strong> {t('bulk.pending', { count: order.items.length, seconds: phase.seconds })}
        </span>
        <Button size="compact-md" variant="default" leftSection={<Icon name="undo" size={15} />} onClick={undo}>
          {t('action.undo')}
        </Button>
        <Button size="compact-md" variant="subtle" onClick={() => now(order)}>
          {t('bulk.now')}
        </Button>
      </div>
    );
  }

  if (phase.name === 'sending') {
    return (
      <div className={classes.bar} role="region" aria-label={what}>
        <span className={classes.text}>{t('bulk.sending', { done: phase.done, total: order.items.length })}</span>
        <Progress className={classes.progress} value={(100 * phase.done) / order.items.length} aria-label={what} />
      </div>
    );
  }

  const failed = phase.outcomes.filter((outcome) => outcome.error !== null);
  return (
    <div className={classes.finished} role="region" aria-label={t('bulk.details')}>
      <div className={classes.head}>
        <Icon name={failed.length === 0 ? 'check' : 'warning'} />
        <span className={classes.text}>
          <strong>{what}:</strong> {t('bulk.outcome', { ok: phase.outcomes.length - failed.length, failed: failed.length })}
        </span>
        <Button size="compact-sm" variant="subtle" aria-expanded={details} onClick={() => setDetails(!details)}>
          {t('bulk.details')}
        </Button>
        {failed.length > 0 && (
          <Button size="compact-sm" variant="default" onClick={() => retry(order.kind, failed.map((outcome) => outcome.item))}>
            {t('bulk.retry')}
          </Button>
        )}
        <CloseButton aria-label={t('action.close')} onClick={close} />
      </div>
      {details && (
        <ul className={classes.outcomes}>
          {phase.outcomes.map((outcome) => (
            <li key={outcome.item.id} data-failed={outcome.error !== null || undefined}>
              <bdi className={classes.name}>{outcome.item.title ?? t('board.untitled')}</bdi>
              <span>{outcome.error === null ? t(outcome.report?.held != null ? 'bulk.held' : 'bulk.ok') : errorText(outcome.error)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

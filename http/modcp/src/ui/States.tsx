import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { asApiError, isMissingRoute } from '../api/http';
import { useI18n } from '../i18n/I18n';
import { useKeyHold } from '../keyboard/ShortcutProvider';
import { Icon, type IconName } from './Icon';
import classes from './States.module.css';
import { useErrorText } from './useErrorText';

export function Empty({ icon = 'inbox', title, hint, page = false, children }: { icon?: IconName; title: string; hint?: string; page?: boolean; children?: ReactNode }) {
  // A state that fills a page is also the page's heading.
  const Title = page ? 'h1' : 'p';
  return (
    <div className={classes.state}>
      <span className={classes.disc}>
        <Icon name={icon} size={24} />
      </span>
      <Title className={classes.title}>{title}</Title>
      {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      {children}
    </div>
  );
}

/** Says what went wrong and offers to retry. A route that the server does not have is shown as missing, not as an error. */
export function Failure({ error, title, retry, collection = false }: { error: unknown; title?: string; retry?: () => void; collection?: boolean }) {
  const { t } = useI18n();
  const text = useErrorText();
  if (collection && isMissingRoute(error)) {
    return <Empty icon="info" title={t('state.missing')} hint={t('state.missingHint')} />;
  }
  const failure = asApiError(error);
  return (
    <div role="alert">
      <Empty icon="warning" title={failure.status === 403 ? t('session.noAccess') : (title ?? t('state.error'))} hint={text(failure)}>
        {failure.requestId !== null && <p className={classes.request}>{t('state.requestId', { id: failure.requestId })}</p>}
        {retry !== undefined && (
          <Button variant="default" onClick={retry}>
            {t('action.retry')}
          </Button>
        )}
      </Empty>
    </div>
  );
}

/** What stands for something that loads; for a whole screen, keys that are pressed meanwhile wait. */
export function Loading({ rows = 4, height = 18, screen = false }: { rows?: number; height?: number; screen?: boolean }) {
  const { t } = useI18n();
  useKeyHold(screen);
  return (
    <div role="status" className={classes.loading} data-loading>
      <span className="visually-hidden">{t('state.loading')}</span>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height} width={`${92 - ((index * 17) % 38)}%`} />
      ))}
    </div>
  );
}

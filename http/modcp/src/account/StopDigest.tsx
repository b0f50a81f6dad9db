import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { stopDigest } from '../api/account';
import { asApiError } from '../api/http';
import { useI18n } from '../i18n/I18n';
import { useErrorText } from '../ui/useErrorText';
import { EntryPage } from './EntryPage';

/** Where the link at the end of a digest leads. To open it stops nothing, since mail scanners do so; its button does. */
export function StopDigest() {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [params] = useSearchParams();
  const stop = useMutation({ mutationFn: () => stopDigest(params.get('token') ?? '') });
  if (stop.isSuccess) {
    return (
      <EntryPage title={t('digest.stopped')}>
        <p role="status">{t('digest.stoppedHint')}</p>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={t('digest.stopTitle')} hint={t('digest.stopHint')}>
      {stop.isError && <p role="alert">{[400, 404].includes(asApiError(stop.error).status) ? t('digest.deadLink') : errorText(stop.error)}</p>}
      <Button fullWidth loading={stop.isPending} onClick={() => stop.mutate()}>
        {t('digest.stop')}
      </Button>
    </EntryPage>
  );
}

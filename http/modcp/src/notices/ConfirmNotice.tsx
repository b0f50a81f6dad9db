import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { EntryPage } from '../account/EntryPage';
import { asApiError } from '../api/http';
import { confirmNotice } from '../api/publicNotices';
import { useI18n } from '../i18n/I18n';
import { useErrorText } from '../ui/useErrorText';

/** Where the mailed link of a notice leads. To open it confirms nothing, since mail scanners do so; its button does. */
export function ConfirmNotice() {
  const { t } = useI18n();
  const errorText = useErrorText();
  const { hash } = useLocation();
  const confirm = useMutation({ mutationFn: () => confirmNotice(new URLSearchParams(hash.slice(1)).get('token') ?? '') });
  if (confirm.data?.filed === true) {
    return (
      <EntryPage title={t('notice.filed')}>
        <p role="status">{t('notice.filedHint')}</p>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={t('notice.confirmTitle')} hint={t('notice.confirmHint')}>
      {confirm.data?.filed === false && <p role="alert">{t('notice.unknown')}</p>}
      {confirm.isError && <p role="alert">{asApiError(confirm.error).status === 400 ? t('notice.deadLink') : errorText(confirm.error)}</p>}
      <Button fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {t('notice.confirm')}
      </Button>
    </EntryPage>
  );
}

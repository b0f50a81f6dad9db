import { Checkbox, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readDigest, saveDigest, type Digest } from '../api/account';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { Panel } from '../ui/Panel';
import { Failure, Loading } from '../ui/States';
import { useErrorText } from '../ui/useErrorText';
import classes from './Account.module.css';

/** Which mail a moderator wants about what waits; a choice is saved at once. */
export function DigestSettings() {
  const { t, locale } = useI18n();
  const client = useQueryClient();
  const errorText = useErrorText();
  const settings = useQuery({ queryKey: keys.digest, queryFn: ({ signal }) => readDigest(signal) });
  const save = useMutation({ mutationFn: (digest: Digest) => saveDigest(digest, locale.id), onSuccess: (saved) => client.setQueryData(keys.digest, saved) });
  const shown = save.isPending ? save.variables : settings.data;
  return (
    <Panel title={t('digest.title')} id="account-digest">
      <p className={`small ${classes.muted}`}>{t('digest.hint')}</p>
      {shown === undefined ? (
        settings.isPending ? <Loading rows={2} /> : <Failure error={settings.error} retry={() => void settings.refetch()} />
      ) : (
        <div className={classes.form}>
          <Select
            label={t('digest.every')}
            value={shown.every}
            onChange={(every) => every !== null && save.mutate({ ...shown, every: every as Digest['every'] })}
            data={(['never', 'hourly', 'daily'] as const).map((every) => ({ value: every, label: t(`digest.${every}`) }))}
          />
          <Checkbox label={t('digest.urgent')} checked={shown.urgent} onChange={(event) => save.mutate({ ...shown, urgent: event.currentTarget.checked })} />
          {save.isError && <p role="alert">{errorText(save.error)}</p>}
        </div>
      )}
    </Panel>
  );
}

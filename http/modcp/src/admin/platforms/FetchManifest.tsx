import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchManifest } from '../../api/platforms';
import { useI18n } from '../../i18n/I18n';
import { useErrorText } from '../../ui/useErrorText';
import classes from './Platforms.module.css';

/** Takes a manifest from an address instead of the clipboard. */
export function FetchManifest({ take }: { take: (manifest: string) => void }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [url, setUrl] = useState('');
  const fetching = useMutation({ mutationFn: () => fetchManifest(url.trim()), onSuccess: ({ manifest }) => take(manifest) });
  return (
    <div className={classes.fetch}>
      <TextInput
        type="url"
        dir="ltr"
        label={t('platforms.address')}
        placeholder="https://shop.example/docket.yaml"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // the form saves
          if (url.trim() !== '') fetching.mutate();
        }}
        error={fetching.error === null ? undefined : errorText(fetching.error)}
      />
      <Button variant="default" loading={fetching.isPending} disabled={url.trim() === ''} onClick={() => fetching.mutate()}>
        {t('platforms.fetch')}
      </Button>
    </div>
  );
}

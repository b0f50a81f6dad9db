import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readPlatform, restorePlatform, type PlatformDetail, type PlatformVersion } from '../../api/platforms';
import { keys } from '../../api/queryKeys';
import { TextDifference } from '../../compare/TextDifference';
import { useI18n } from '../../i18n/I18n';
import { DataTable } from '../../ui/DataTable';
import { Dialog } from '../../ui/Dialog';
import { Panel } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { When } from '../../ui/When';
import shared from '../shared/Admin.module.css';
import classes from './Platforms.module.css';

/** The versions of a platform. An earlier one can be compared with the present one and brought back. */
export function PlatformVersions({ platform }: { platform: PlatformDetail }) {
  const { t } = useI18n();
  const [shown, setShown] = useState<PlatformVersion | null>(null);
  const who = (made: PlatformVersion) => (made.by === null ? t('staff.operator') : made.by.name === '' ? t('state.deletedAccount') : made.by.name);
  return (
    <Panel id="versions" title={t('platforms.versions')} flush>
      <DataTable
        label={t('platforms.versions')}
        rows={platform.versions}
        rowKey={(made) => String(made.version)}
        columns={[
          { key: 'version', title: t('platforms.version'), cell: (made) => t(made.off ? 'platforms.versionOff' : 'platforms.versionOn', { version: made.version }) },
          { key: 'by', title: t('platforms.by'), cell: (made) => <bdi>{who(made)}</bdi> },
          { key: 'at', title: t('platforms.at'), end: true, cell: (made) => <When iso={made.at} /> },
          {
            key: 'actions',
            title: t('admin.action'),
            actions: true,
            cell: (made) =>
              made.version === platform.version ? null : (
                <Button size="compact-md" variant="default" aria-label={t('platforms.compareOf', { version: made.version })} onClick={() => setShown(made)}>
                  {t('platforms.compare')}
                </Button>
              ),
          },
        ]}
      />
      {shown !== null && <Former platform={platform} version={shown.version} close={() => setShown(null)} />}
    </Panel>
  );
}

function Former({ platform, version, close }: { platform: PlatformDetail; version: number; close: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const former = useQuery({ queryKey: keys.platformVersion(platform.id, version), queryFn: ({ signal }) => readPlatform(platform.id, version, signal), staleTime: Infinity });
  const restore = useMutation({
    mutationFn: () => restorePlatform(platform.id, version),
    onSuccess: (now) => {
      client.setQueryData(keys.platform(platform.id), now);
      toasts.show({ text: t('platforms.restored', { version }) });
      close();
    },
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.platforms }),
  });
  const same = former.data?.manifest === platform.manifest;
  return (
    <Dialog close={close} size="lg" title={t('platforms.versionOn', { version })}>
      {former.isPending ? (
        <Loading rows={6} />
      ) : former.data === undefined ? (
        <Failure error={former.error} retry={() => void former.refetch()} />
      ) : (
        <div className={classes.form}>
          <p className={shared.detail}>{t(same ? 'platforms.sameManifest' : 'platforms.restoreHint')}</p>
          <div dir="ltr" style={{ whiteSpace: 'pre-wrap' }}>
            <TextDifference before={platform.manifest ?? ''} after={former.data.manifest ?? ''} />
          </div>
          {!same && (
            <Button onClick={() => restore.mutate()} loading={restore.isPending}>
              {t('platforms.restore', { version })}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { asApiError } from '../../api/http';
import { readPlatform, renewSecret, savePlatform, switchPlatform, type PlatformDetail } from '../../api/platforms';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { useDraft } from '../../storage/drafts';
import { Callout } from '../../ui/Callout';
import { Confirm } from '../../ui/Confirm';
import { Dialog } from '../../ui/Dialog';
import { Form } from '../../ui/Form';
import { PageHead, Panel } from '../../ui/Panel';
import { Secret } from '../../ui/Secret';
import { Failure, Loading } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import shared from '../shared/Admin.module.css';
import { Back } from '../shared/Back';
import { CodeEditor } from '../shared/CodeEditor';
import { useNames } from '../shared/useNames';
import { FetchManifest } from './FetchManifest';
import { example, idOf } from './manifest';
import classes from './Platforms.module.css';
import { PlatformCalls } from './PlatformCalls';
import { PlatformTrial } from './PlatformTrial';
import { PlatformVersions } from './PlatformVersions';
import { DiscardDraft } from '../shared/DiscardDraft';
import { useManifestCheck } from './useManifestCheck';

export function NewPlatform() {
  const { t } = useI18n();
  useTitle(t('platforms.connect'));
  return (
    <>
      <Back to="/admin/core/platforms" text={t('admin.platforms')} />
      <PageHead title={t('platforms.connect')} hint={t('platforms.connectHint')} />
      <div className={classes.stack}>
        <Editor stored={null} />
      </div>
    </>
  );
}

/** One platform: its manifest, what it answers, and its versions. */
export function EditPlatform() {
  const { id = '' } = useParams();
  const { t } = useI18n();
  const names = useNames();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [asked, setAsked] = useState<'off' | 'secret' | null>(null);
  const platform = useQuery({ queryKey: keys.platform(id), queryFn: ({ signal }) => readPlatform(id, undefined, signal), refetchInterval: 10_000 });
  useTitle(id);
  const change = useMutation({
    mutationFn: ({ what }: { what: () => Promise<PlatformDetail>; done: string }) => what(),
    onSuccess: (_answer, { done }) => toasts.show({ text: done }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.platforms }),
  });
  const renew = useMutation({ mutationFn: () => renewSecret(id), onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }) });
  if (platform.isPending) return <Loading rows={8} />;
  if (platform.data === undefined) return <Failure error={platform.error} retry={() => void platform.refetch()} />;
  const one = platform.data;
  const ours = one.source === 'panel';
  return (
    <>
      <Back to="/admin/core/platforms" text={t('admin.platforms')} />
      <PageHead title={<bdi>{names.plugin(id)}</bdi>} hint={ours ? t('platforms.editHint', { version: one.version ?? 0 }) : t('platforms.fileHint')}>
        {ours && (
          <>
            <Button variant="default" onClick={() => setAsked('secret')} loading={renew.isPending}>
              {t('platforms.renew')}
            </Button>
            {one.state === 'off' ? (
              <Button onClick={() => change.mutate({ what: () => switchPlatform(id, true), done: t('platforms.isOn') })}>{t('platforms.on')}</Button>
            ) : (
              <Button variant="default" c="var(--d-red)" onClick={() => setAsked('off')}>
                {t('platforms.off')}
              </Button>
            )}
          </>
        )}
      </PageHead>
      <div className={classes.stack}>
        <PlatformCalls platform={one} />
        {ours ? <Editor key={id} stored={one} /> : one.manifest !== null && <Editor stored={one} readOnly />}
        {ours && <PlatformTrial platform={one} />}
        {ours && <PlatformVersions platform={one} />}
      </div>
      {asked === 'off' && (
        <Confirm danger title={t('platforms.offTitle', { id })} action={t('platforms.off')} confirm={() => change.mutate({ what: () => switchPlatform(id, false), done: t('platforms.isOff') })} close={() => setAsked(null)}>
          <p className={shared.detail}>{t('platforms.offHint')}</p>
        </Confirm>
      )}
      {asked === 'secret' && (
        <Confirm title={t('platforms.renewTitle')} action={t('platforms.renew')} confirm={() => renew.mutate()} close={() => setAsked(null)}>
          <p className={shared.detail}>{t('platforms.renewHint')}</p>
        </Confirm>
      )}
      {renew.data !== undefined && <ShowSecrets made={renew.data} close={renew.reset} />}
    </>
  );
}

const hasSecrets = (made: PlatformDetail) => made.secret !== undefined || made.providerSecrets !== undefined;

/** The secrets that a change has made: of the platform, and of the providers of signals that it names. */
function ShowSecrets({ made, close }: { made: PlatformDetail; close: () => void }) {
  const { t } = useI18n();
  return (
    <Dialog close={close} title={t('platforms.secret')} closeOnClickOutside={false}>
      <div className={classes.form}>
        {made.secret !== undefined && (
          <>
            <p className={shared.detail}>{t('platforms.secretOnce')}</p>
            <Secret text={made.secret} label={t('platforms.secret')} />
          </>
        )}
        {made.providerSecrets?.map((one) => (
          <div key={one.name}>
            <p className={shared.detail}>{t('platforms.providerSecret', { name: one.name })}</p>
            <Secret text={one.secret} label={t('platforms.providerSecret', { name: one.name })} />
          </div>
        ))}
        <Button onClick={close}>{t('action.close')}</Button>
      </div>
    </Dialog>
  );
}

/** A manifest that is being written, and the version that its writer began with. */
interface ManifestDraft {
  text: string;
  version: number;
}

/** Writes a manifest, which the server checks meanwhile, and saves it as the next version. */
function Editor({ stored, readOnly = false }: { stored: PlatformDetail | null; readOnly?: boolean }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const errorText = useErrorText();
  const saved = stored?.manifest ?? example;
  const version = stored?.version ?? 0;
  const [draft, setDraft] = useDraft<ManifestDraft>(`manifest:${stored?.id ?? 'new'}`);
  const manifest = readOnly ? saved : (draft?.text ?? saved);
  const change = (text: string) => setDraft({ text, version: draft?.version ?? version });
  const overtaken = draft !== null && draft.version !== version;
  const id = stored?.id ?? idOf(manifest);
  const check = useManifestCheck(manifest, !readOnly);
  const save = useMutation({
    mutationFn: (platformId: string) => savePlatform(platformId, manifest, version),
    onSuccess: (platform) => {
      setDraft(null);
      client.setQueryData(keys.platform(platform.id), platform);
      void client.invalidateQueries({ queryKey: keys.targetTypes });
      if (!hasSecrets(platform)) toasts.show({ text: t('platforms.saved', { version: platform.version ?? 0 }) });
    },
    // What a colleague saved meanwhile is shown as such.
    onSettled: () => client.invalidateQueries({ queryKey: keys.platforms }),
  });
  const made = save.data;
  const failure = save.isError ? asApiError(save.error) : null;
  const taken = stored === null && failure?.code === 'conflict' ? save.variables : undefined;
  return (
    <Panel id="manifest" title={t('platforms.manifestTitle')}>
      <Form className={classes.form} label={t('platforms.manifestTitle')} submit={() => save.mutate(id)}>
        {failure !== null && !(overtaken && failure.code === 'conflict') && (
          <Callout tone="red" alert title={t('platforms.refused')}>
            {taken === undefined ? errorText(failure) : t('platforms.taken')} {taken !== undefined && <Link to={`/admin/core/platforms/edit/${taken}`}>{t('platforms.openOf', { id: taken })}</Link>}
          </Callout>
        )}
        {overtaken && (
          <Callout tone="amber" alert title={t('platforms.conflict')}>
            {t('platforms.conflictHint', { version })}
          </Callout>
        )}
        {!readOnly && <FetchManifest take={change} />}
        <CodeEditor label={t('platforms.manifest')} rows={12} value={manifest} change={change} faults={check.faults} notes={{ title: t('platforms.notes'), remarks: check.notes }} readOnly={readOnly} />
        {!readOnly && (
          <div className={shared.foot}>
            {draft !== null && (
              <DiscardDraft discard={() => setDraft(null)} />
            )}
            <Button type="submit" loading={save.isPending} disabled={id === '' || !check.settled || check.faults.length > 0 || (stored !== null && manifest === saved)}>
              {stored === null ? t('platforms.connect') : overtaken ? t('platforms.saveOver', { version }) : t('platforms.save', { version: version + 1 })}
            </Button>
          </div>
        )}
      </Form>
      {made !== undefined && hasSecrets(made) && <ShowSecrets made={made} close={stored === null ? () => void navigate(`/admin/core/platforms/edit/${made.id}`) : save.reset} />}
    </Panel>
  );
}

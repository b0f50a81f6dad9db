import { Button, Group, Input, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { keys } from '../api/queryKeys';
import { muteReporter, unmuteReporter, type Mute, type Reporter } from '../api/reporters';
import type { Grant, Person } from '../api/types';
import { useScopeLabel } from '../board/useTargetTypes';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Form, FormButtons } from '../ui/Form';
import { fits, noteLimits } from '../ui/limits';
import { PersonName } from '../ui/PersonName';
import { Segments } from '../ui/Segments';
import { Failure, Loading } from '../ui/States';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { useNow } from '../ui/useNow';
import { When } from '../ui/When';
import classes from './Reporters.module.css';
import { usePermission } from '../session/usePermission';
import { useReporter } from './useReporter';

const spans = { day: 1, week: 7, month: 30, year: 365 } as const;
type Span = keyof typeof spans;
const dayLength = 86_400_000;

/** The mutes of a reporter, and a form to mute them or end the mute for those who may. */
export function MuteDialog({ reporter, close }: { reporter: Person; close: () => void }) {
  const { t } = useI18n();
  const mayMute = usePermission('can_mute_reporters');
  const query = useReporter(reporter.id);
  return (
    <Dialog close={close} title={t('reporters.of', { name: reporter.name })}>
      {query.isPending ? (
        <Loading rows={3} />
      ) : query.data === undefined ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : (
        <div className={classes.dialog}>
          {mayMute && <MuteForm reporter={query.data} close={close} />}
          <Mutes mutes={query.data.mutes} />
        </div>
      )}
    </Dialog>
  );
}

function MuteForm({ reporter, close }: { reporter: Reporter; close: () => void }) {
  const { t, date } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const now = Math.max(useNow(), Date.now());
  const spanLabel = useId();
  const [span, setSpan] = useState<Span>('week');
  const [reason, setReason] = useState('');
  const muted = reporter.mutedUntil !== null && Date.parse(reporter.mutedUntil) > now;
  const until = () => new Date(Date.now() + spans[span] * dayLength).toISOString();

  const settle = (text: string) => (next: Reporter) => {
    client.setQueryData(keys.reporter(reporter.id), next);
    toasts.show({ text });
    close();
  };
  const mute = useMutation({ mutationFn: () => muteReporter(reporter.id, until(), reason.trim()), onSuccess: settle(t('reporters.muted', { name: reporter.name })) });
  const unmute = useMutation({ mutationFn: () => unmuteReporter(reporter.id), onSuccess: settle(t('reporters.unmuted', { name: reporter.name })) });
  const failed = mute.error ?? unmute.error;

  return (
    <Form className={classes.dialog} label={t('reporters.mute')} submit={() => mute.mutate()} fault={failed === null ? null : errorText(failed)}>
      <p className={classes.hint}>{t('reporters.hint')}</p>
      {muted && (
        <Group gap="xs" justify="space-between">
          <span>{t('reporters.mutedUntil', { time: date(reporter.mutedUntil!) })}</span>
          <Button variant="default" loading={unmute.isPending} disabled={mute.isPending} onClick={() => unmute.mutate()}>
            {t('reporters.unmute')}
          </Button>
        </Group>
      )}
      <div>
        <Input.Label id={spanLabel} component="div">
          {t('reporters.span')}
        </Input.Label>
        <Segments
          fullWidth
          aria-labelledby={spanLabel}
          value={span}
          onChange={setSpan}
          data={(Object.keys(spans) as Span[]).map((value) => ({ value, label: t(`reporters.span.${value}`) }))}
        />
      </div>
      <Textarea
        required
        data-autofocus
        label={t('reporters.reason')}
        description={t('report.lengthHint', noteLimits)}
        maxRows={8}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <FormButtons cancel={close} submit={t(muted ? 'reporters.muteAnew' : 'reporters.mute')} disabled={!fits(reason, noteLimits) || unmute.isPending} loading={mute.isPending} />
    </Form>
  );
}

function Mutes({ mutes }: { mutes: Mute[] }) {
  const { t, date } = useI18n();
  const places = usePlaces();
  if (mutes.length === 0) return null;
  return (
    <section aria-label={t('reporters.mutes')}>
      <h3 className={classes.title}>{t('reporters.mutes')}</h3>
      <ul className={`bare ${classes.mutes}`}>
        {mutes.map((mute) => (
          <li key={mute.mutedAt}>
            <div className={classes.line}>
              <PersonName person={mute.mutedBy} />
              <When iso={mute.mutedAt} />
            </div>
            <p className={classes.hint}>
              {t('reporters.until', { time: date(mute.until) })} · {places(mute.reach)}
              {mute.endedAt !== null && <> · {t('reporters.ended', { time: date(mute.endedAt) })}</>}
            </p>
            <p className={classes.words} dir="auto">
              {mute.reason}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where a mute counts, in words: resources, or modules that are covered whole. */
function usePlaces(): (reach: Grant[] | null) => string {
  const { t, label, locale } = useI18n();
  const resource = useScopeLabel();
  return (reach) => {
    if (reach === null) return t('reporters.everywhere');
    const places = reach.flatMap(({ scope, module }) =>
      scope?.mode === 'selected' ? (scope.ids ?? []).map((id) => resource({ family: scope.family, id })) : [label(module)],
    );
    return new Intl.ListFormat(locale.id).format(new Set(places));
  };
}

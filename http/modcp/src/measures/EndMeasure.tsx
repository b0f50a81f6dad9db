import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { asApiError } from '../api/http';
import { endMeasure } from '../api/measures';
import { keys } from '../api/queryKeys';
import type { MeasureKind } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useDraft } from '../storage/drafts';
import { Dialog } from '../ui/Dialog';
import { Form, FormButtons } from '../ui/Form';
import { fits, length, noteLimits } from '../ui/limits';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import classes from './Measures.module.css';

interface Props {
  id: string;
  reportId: string;
  /** The report's. */
  version: number;
  kind: MeasureKind;
  /** The author's name. */
  name: string;
}

/** Ends a measure early, for a reason. */
export function EndMeasure(props: Props) {
  const { t } = useI18n();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={t('measure.endOf', { what: t(`measure.is.${props.kind}`), name: props.name })} onClick={() => setAsked(true)}>
        {t('measure.end')}
      </Button>
      {asked && <EndDialog {...props} close={() => setAsked(false)} />}
    </>
  );
}

function EndDialog({ id, reportId, version, kind, name, close }: Props & { close: () => void }) {
  const { t, number } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [draft, setDraft] = useDraft<string>(`measure:${id}`);
  const reason = draft ?? '';
  const end = useMutation({
    mutationFn: () => endMeasure(id, reason.trim(), version),
    onSuccess: () => {
      setDraft(null);
      toasts.show({ text: t('measure.ended', { what: t(`measure.is.${kind}`), name }) });
      close();
    },
    onSettled: () => Promise.all([keys.measures, keys.records, keys.report(reportId), keys.timeline(reportId), keys.reports, ['appeal'], ['proposal']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  const failure = end.isError ? asApiError(end.error) : null;
  return (
    <Dialog close={close} title={t('measure.endOf', { what: t(`measure.is.${kind}`), name })}>
      <Form
        className={classes.form}
        fault={failure === null ? null : `${errorText(failure)} ${failure.status === 409 ? t('report.conflictHint') : ''}`}
        submit={() => {
          if (fits(reason, noteLimits) && !end.isPending) end.mutate();
        }}
      >
        <p className={classes.muted}>{t('measure.endHint')}</p>
        <Textarea
          required
          data-autofocus
          label={t('measure.endReason')}
          description={t('report.lengthHint', noteLimits)}
          minRows={2}
          autosize
          maxRows={8}
          value={reason}
          error={length(reason) > noteLimits.max ? t('report.tooLong', { limit: number(noteLimits.max) }) : undefined}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
        <FormButtons cancel={close} submit={t('measure.end')} loading={end.isPending} disabled={!fits(reason, noteLimits)} />
      </Form>
    </Dialog>
  );
}

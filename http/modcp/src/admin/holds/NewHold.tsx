import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setHold } from '../../api/holds';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { Form } from '../../ui/Form';
import { fits, holdBasisLimits, holdReferenceLimits, holdReportLimit, holdYears } from '../../ui/limits';
import { Panel } from '../../ui/Panel';
import { Segments } from '../../ui/Segments';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import classes from './Holds.module.css';
import { reportIDs } from './reportIDs';

function inYears(years: number): string {
  const day = new Date();
  day.setUTCFullYear(day.getUTCFullYear() + years);
  return day.toISOString().slice(0, 10);
}

/** The form that sets a hold. */
export function NewHold() {
  const { t, number } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [what, setWhat] = useState<'reports' | 'author'>('reports');
  const [reports, setReports] = useState('');
  const [author, setAuthor] = useState('');
  const [basis, setBasis] = useState('');
  const [reference, setReference] = useState('');
  const [until, setUntil] = useState(inYears(1));
  const ids = reportIDs(reports);
  const named = what === 'author' ? author.trim() !== '' : ids.length > 0 && ids.length <= holdReportLimit;
  const set = useMutation({
    mutationFn: () => setHold({ ...(what === 'author' ? { authorId: author.trim() } : { reports: ids }), basis, reference, until: `${until}T00:00:00Z` }),
    onSuccess: () => {
      setReports('');
      setAuthor('');
      setBasis('');
      setReference('');
      toasts.show({ text: t('holds.wasSet') });
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.holds }),
  });
  return (
    <Panel id="hold" title={t('holds.new')}>
      <Form className={classes.form} label={t('holds.new')} fault={set.isError ? errorText(set.error) : null} submit={() => set.mutate()}>
        <Segments
          aria-label={t('holds.what')}
          value={what}
          onChange={setWhat}
          data={[
            { value: 'reports', label: t('holds.reports') },
            { value: 'author', label: t('holds.author') },
          ]}
        />
        {what === 'reports' ? (
          <Textarea
            label={t('holds.reports')}
            description={t('holds.reportsHint', { limit: number(holdReportLimit), count: ids.length })}
            autosize
            minRows={2}
            maxRows={8}
            dir="ltr"
            value={reports}
            onChange={(event) => setReports(event.currentTarget.value)}
          />
        ) : (
          <TextInput label={t('holds.authorId')} description={t('holds.authorHint')} dir="ltr" value={author} onChange={(event) => setAuthor(event.currentTarget.value)} />
        )}
        <Textarea label={t('holds.basis')} description={t('holds.basisHint')} autosize minRows={1} maxRows={6} dir="auto" maxLength={2 * holdBasisLimits.max} value={basis} onChange={(event) => setBasis(event.currentTarget.value)} />
        <div className={classes.row}>
          <TextInput label={t('holds.reference')} dir="auto" maxLength={2 * holdReferenceLimits.max} value={reference} onChange={(event) => setReference(event.currentTarget.value)} />
          <TextInput type="date" label={t('holds.until')} min={new Date().toISOString().slice(0, 10)} max={inYears(holdYears)} value={until} onChange={(event) => setUntil(event.currentTarget.value)} />
          <Button type="submit" loading={set.isPending} disabled={!named || !fits(basis, holdBasisLimits) || !fits(reference, holdReferenceLimits) || until === ''}>
            {t('holds.set')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

import { Button, CloseButton, NumberInput, Select } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/queryKeys';
import { readLadder, setLadder, type LadderStep } from '../../api/measures';
import { measureKinds, type MeasureKind } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { timed } from '../../measures/measureDraft';
import { useDraft } from '../../storage/drafts';
import { Form } from '../../ui/Form';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import shared from '../shared/Admin.module.css';
import { Back } from '../shared/Back';
import { faultsOf, maxDays, maxSteps, maxStrikes, nextStep, type StepDraft, toSteps } from './ladderDraft';
import { DiscardDraft } from '../shared/DiscardDraft';
import classes from './Policies.module.css';

/** What the ladder proposes for an author, by the number of strikes. */
export function Ladder() {
  const { t } = useI18n();
  useTitle(t('ladder.title'));
  const ladder = useQuery({ queryKey: keys.ladder, queryFn: ({ signal }) => readLadder(signal) });
  if (ladder.isPending) return <Loading rows={6} />;
  if (ladder.data === undefined) return <Failure error={ladder.error} retry={() => void ladder.refetch()} />;
  return <Editor stored={ladder.data.steps} />;
}

function Editor({ stored }: { stored: LadderStep[] }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [draft, setDraft] = useDraft<StepDraft[]>('ladder');
  const [tried, setTried] = useState(false);
  const steps = draft ?? stored;
  const faults = faultsOf(steps);
  const save = useMutation({
    mutationFn: () => setLadder(toSteps(steps)),
    onSuccess: (answer) => {
      client.setQueryData(keys.ladder, answer);
      setDraft(null);
      setTried(false);
      toasts.show({ text: t('ladder.saved') });
    },
  });
  const change = (at: number, part: Partial<StepDraft>) => setDraft(steps.map((step, index) => (index === at ? { ...step, ...part } : step)));
  return (
    <>
      <Back to="/admin/core/policies" text={t('admin.policies')} />
      <PageHead title={t('ladder.title')} hint={t('ladder.hint')} />
      <Form
        className={classes.form}
        label={t('ladder.title')}
        fault={save.isError ? errorText(save.error) : null}
        submit={() => {
          setTried(true);
          if (faults.size === 0) save.mutate();
        }}
      >
        {steps.length === 0 && <p className={classes.hint}>{t('ladder.empty')}</p>}
        <ol className={classes.steps}>
          {steps.map((step, index) => (
            <li key={index} className={classes.step}>
              <NumberInput
                label={t('ladder.strikes')}
                min={1}
                max={maxStrikes}
                allowDecimal={false}
                clampBehavior="none"
                value={step.strikes}
                error={tried && faults.has(`${index} strikes`) ? t('ladder.fault.strikes', { max: maxStrikes }) : undefined}
                onChange={(value) => change(index, { strikes: value === '' ? '' : Number(value) })}
              />
              <Select
                label={t('measure.kind')}
                value={step.kind}
                data={measureKinds.map((kind) => ({ value: kind, label: t(`measure.${kind}`) }))}
                onChange={(kind) => change(index, { kind: kind as MeasureKind })}
              />
              {timed(step.kind) ? (
                <NumberInput
                  label={t('ladder.days')}
                  placeholder={t('measure.noEnd')}
                  min={1}
                  max={maxDays}
                  allowDecimal={false}
                  clampBehavior="none"
                  value={step.days ?? ''}
                  error={tried && faults.has(`${index} days`) ? t('ladder.fault.days', { max: maxDays }) : undefined}
                  onChange={(value) => change(index, { days: value === '' ? null : Number(value) })}
                />
              ) : (
                <span />
              )}
              <CloseButton aria-label={t('ladder.removeStep', { strikes: Number(step.strikes) })} onClick={() => setDraft(steps.filter((_, at) => at !== index))} />
            </li>
          ))}
        </ol>
        <Button className={classes.add} variant="default" leftSection={<Icon name="plus" size={16} />} disabled={steps.length >= maxSteps} onClick={() => setDraft([...steps, nextStep(steps)])}>
          {t('ladder.add')}
        </Button>
        <div className={shared.foot}>
          {draft !== null && (
            <DiscardDraft
              discard={() => {
                setDraft(null);
                setTried(false);
              }}
            />
          )}
          <Button type="submit" loading={save.isPending} disabled={draft === null}>
            {t('action.save')}
          </Button>
        </div>
      </Form>
    </>
  );
}

import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { startBacktest } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import { publishRule, type Rule } from '../../api/rules';
import { useI18n } from '../../i18n/I18n';
import { useDraft } from '../../storage/drafts';
import { Form } from '../../ui/Form';
import { Panel } from '../../ui/Panel';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { keyFor } from '../policies/policyDraft';
import shared from '../shared/Admin.module.css';
import { ConditionEditor } from './ConditionEditor';
import { blankRule, formOfRule, pointLimits, ruleFaults, thenOf, type RuleFault, type RuleForm } from './ruleDraft';
import classes from './Rules.module.css';
import { TryRule } from './TryRule';
import { DiscardDraft } from '../shared/DiscardDraft';
import { useRuleCheck } from './useRuleCheck';

/** Writes the next version of a rule; null is a new rule. */
export function RuleEditor({ newest }: { newest: Rule | null }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [draft, setDraft] = useDraft<RuleForm>(`rule:${newest?.key ?? 'new'}`);
  const [tried, setTried] = useState(false);
  const form = draft ?? (newest === null ? blankRule : formOfRule(newest));
  const check = useRuleCheck(form.when);
  const faults = ruleFaults(form);
  const change = (part: Partial<RuleForm>) => setDraft({ ...form, ...part });
  const fault = (part: RuleFault) => (tried && faults.has(part) ? t(`auto.fault.${part}`) : undefined);

  const publish = useMutation({
    mutationFn: () => publishRule({ key: form.key, title: form.title.trim(), when: form.when, then: thenOf(form) }),
    onSuccess: (rule) => {
      setDraft(null);
      toasts.show({ text: newest?.version === rule.version ? t('auto.unchanged') : t('auto.isPublished', { title: rule.title, version: rule.version }) });
      void client.invalidateQueries({ queryKey: keys.rules });
      void navigate(`/admin/core/rules/edit/${rule.key}`);
    },
  });
  const backtest = useMutation({
    mutationFn: () => startBacktest({ when: form.when, since: null, until: null, ...(newest === null ? {} : { against: { key: newest.key, version: newest.version } }) }),
    onSuccess: ({ id }) => void navigate(`/admin/core/rules/backtests/${id}`),
  });
  const submit = () => {
    setTried(true);
    if (faults.size === 0 && check.sound) publish.mutate();
  };
  const failed = publish.error ?? backtest.error ?? check.error;
  return (
    <Panel id="editor" title={newest === null ? t('auto.new') : t('auto.next', { version: newest.version + 1 })}>
      <Form className={shared.form} label={t('auto.new')} submit={submit} fault={failed === null ? null : errorText(failed)}>
        <TextInput
          label={t('auto.title')}
          value={form.title}
          error={fault('title')}
          onChange={(event) => {
            const title = event.currentTarget.value;
            const follows = newest === null && (form.key === '' || form.key === keyFor(form.title));
            change({ title, ...(follows ? { key: keyFor(title) } : {}) });
          }}
        />
        {newest === null && <TextInput label={t('policies.key')} description={t('policies.keyHint')} value={form.key} error={fault('key')} dir="ltr" onChange={(event) => change({ key: event.currentTarget.value })} />}
        <ConditionEditor when={form.when} change={(when) => change({ when })} check={check} />
        <TryRule when={form.when} sound={check.sound} />
        <fieldset className={classes.then}>
          <legend className={shared.label}>{t('auto.then')}</legend>
          <p className={shared.muted}>{t('auto.thenHint')}</p>
          <div className={classes.range}>
            <NumberInput label={t('auto.points')} description={t('auto.pointsHint', pointLimits)} {...pointLimits} allowDecimal={false} clampBehavior="none" value={form.points} error={fault('points')} onChange={(points) => change({ points })} />
            <TextInput label={t('auto.due')} description={t('auto.dueHint')} value={form.due} error={fault('due')} dir="ltr" onChange={(event) => change({ due: event.currentTarget.value })} />
            <TextInput label={t('auto.tags')} description={t('auto.tagsHint')} value={form.tags} error={fault('tags')} dir="ltr" onChange={(event) => change({ tags: event.currentTarget.value })} />
          </div>
          <Checkbox label={t('auto.hide')} description={t('auto.hideHint')} checked={form.hide} onChange={(event) => change({ hide: event.currentTarget.checked })} />
          {fault('then') !== undefined && (
            <p className={shared.bad} role="alert">
              {fault('then')}
            </p>
          )}
        </fieldset>
        <div className={shared.foot}>
          {draft !== null && (
            <DiscardDraft
              discard={() => {
                setDraft(null);
                setTried(false);
              }}
            />
          )}
          <Button variant="default" loading={backtest.isPending} disabled={!check.sound} onClick={() => backtest.mutate()}>
            {newest === null ? t('backtest.start') : t('auto.backtestAgainst', { version: newest.version })}
          </Button>
          <Button type="submit" loading={publish.isPending} disabled={newest !== null && newest.retiredAt === null && draft === null}>
            {newest === null ? t('policies.publish') : t('policies.publishVersion', { version: newest.version + 1 })}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

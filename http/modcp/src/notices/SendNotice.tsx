import { Button, Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { EntryPage } from '../account/EntryPage';
import { asApiError } from '../api/http';
import { sendNotice } from '../api/publicNotices';
import { usePolicies } from '../decision/usePolicies';
import { useI18n } from '../i18n/I18n';
import { Callout } from '../ui/Callout';
import { Form } from '../ui/Form';
import { length } from '../ui/limits';
import { useErrorText, validationIssues } from '../ui/useErrorText';

const explanationLimits = { min: 50, max: 5000 };

const blank = { url: '', explanation: '', law: '', name: '', email: '' };
type Field = keyof typeof blank;

/** Where anybody says that content is illegal or breaks a rule. `?url=` fills in where the content is. */
export function SendNotice() {
  const { t, number, locale } = useI18n();
  const errorText = useErrorText();
  const [params] = useSearchParams();
  const [form, setForm] = useState({ ...blank, url: params.get('url') ?? '' });
  const [childSafety, setChildSafety] = useState(false);
  const [goodFaith, setGoodFaith] = useState(false);
  const [policy, setPolicy] = useState<string | null>(null);
  const rules = usePolicies()?.filter(({ reportable }) => reportable) ?? [];
  const send = useMutation({
    mutationFn: () => {
      const { url, explanation, ...others } = form;
      const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value.trim() !== ''));
      return sendNotice({ url, explanation, ...given, goodFaith, ...(policy === null ? {} : { policy }), ...(childSafety ? { category: 'child_safety' } : {}) }, locale.id);
    },
  });
  const anonymous = childSafety && form.name.trim() === '' && form.email.trim() === '';
  if (send.isSuccess) {
    return (
      <EntryPage title={t('notice.sent')}>
        <p role="status">{t(anonymous ? 'notice.sentAtOnce' : 'notice.sentHint', { email: form.email })}</p>
      </EntryPage>
    );
  }
  const refusal = send.isError ? asApiError(send.error) : null;
  const issues = refusal === null ? [] : validationIssues(refusal);
  const fault = (path: keyof typeof faultTexts) => (issues.some((one) => one.path === path) ? t(faultTexts[path]) : undefined);
  const field = (name: Field) => ({
    value: form[name],
    error: fault(name),
    onChange: (event: { currentTarget: { value: string } }) => setForm({ ...form, [name]: event.currentTarget.value }),
  });
  const used = length(form.explanation);
  return (
    <EntryPage title={t('notice.title')} hint={t('notice.hint')}>
      <Form label={t('notice.title')} submit={() => send.mutate()}>
        <Stack gap="sm">
          {refusal !== null && (
            <Callout tone="red" alert>
              {refusal.status === 404 ? t('notice.off') : issues.length > 0 ? t('notice.faults') : errorText(send.error)}
            </Callout>
          )}
          <TextInput label={t('notice.url')} description={t('notice.urlHint')} withAsterisk aria-required inputMode="url" dir="ltr" {...field('url')} />
          <Textarea
            label={t('notice.explanation')}
            description={t('notice.explanationHint', { min: explanationLimits.min })}
            withAsterisk
            aria-required
            autosize
            minRows={4}
            maxRows={12}
            {...field('explanation')}
          />
          {used > 0 && <p>{`${number(used)} / ${number(explanationLimits.max)}`}</p>}
          {rules.length > 0 && <Select label={t('notice.policy')} clearable value={policy} onChange={setPolicy} data={rules.map(({ key, title }) => ({ value: key, label: title }))} />}
          <TextInput label={t('notice.law')} description={t('notice.lawHint')} {...field('law')} />
          <Checkbox label={t('notice.childSafety')} description={t('notice.childSafetyHint')} checked={childSafety} onChange={(event) => setChildSafety(event.currentTarget.checked)} />
          <TextInput label={t('notice.name')} withAsterisk={!childSafety} aria-required={!childSafety} autoComplete="name" {...field('name')} />
          <TextInput label={t('notice.email')} description={t('notice.emailHint')} withAsterisk={!childSafety} aria-required={!childSafety} inputMode="email" autoComplete="email" dir="ltr" {...field('email')} />
          <Checkbox label={t('notice.goodFaith')} aria-required checked={goodFaith} error={fault('goodFaith')} onChange={(event) => setGoodFaith(event.currentTarget.checked)} />
          <Button type="submit" fullWidth loading={send.isPending}>
            {t('notice.send')}
          </Button>
        </Stack>
      </Form>
    </EntryPage>
  );
}

const faultTexts = {
  url: 'notice.fault.url',
  explanation: 'notice.fault.explanation',
  law: 'notice.fault.law',
  name: 'notice.fault.name',
  email: 'notice.fault.email',
  goodFaith: 'notice.fault.goodFaith',
} as const;

import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { keys } from '../../api/queryKeys';
import { policyVersions, publishPolicy, type Policy } from '../../api/policies';
import { useI18n } from '../../i18n/I18n';
import { Words } from '../../richtext/Words';
import { useDraft } from '../../storage/drafts';
import { Callout } from '../../ui/Callout';
import { Form } from '../../ui/Form';
import { PageHead } from '../../ui/Panel';
import { Segments } from '../../ui/Segments';
import { Empty, Failure, Loading } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import shared from '../shared/Admin.module.css';
import { Back } from '../shared/Back';
import classes from './Policies.module.css';
import { blank, faultsOf, formOf, keyFor, strikeLimits, toPublish, type PolicyFault, type PolicyForm } from './policyDraft';
import { PolicyVersions } from './PolicyVersions';
import { DiscardDraft } from '../shared/DiscardDraft';
import { StatementFields } from './StatementFields';

const RichEditor = lazy(() => import('../../richtext/RichEditor').then((m) => ({ default: m.RichEditor })));

export function NewPolicy() {
  const { t } = useI18n();
  useTitle(t('policies.new'));
  return <Editor title={t('policies.new')} newest={null} versions={[]} />;
}

/** Writes the next version of a policy, and compares those that there are. */
export function EditPolicy() {
  const { key = '' } = useParams();
  const { t } = useI18n();
  const versions = useQuery({ queryKey: keys.policyVersions(key), queryFn: ({ signal }) => policyVersions(key, signal) });
  const all = versions.data?.edges.toSorted((a, b) => b.version - a.version) ?? [];
  const newest = all[0];
  useTitle(newest?.title ?? t('admin.policies'));
  if (versions.isPending) return <Loading rows={8} />;
  if (versions.data === undefined) return <Failure error={versions.error} retry={() => void versions.refetch()} />;
  if (newest === undefined) return <Empty page icon="search" title={t('policies.notFound')} hint={t('policies.notFoundHint')} />;
  return <Editor key={`${key}@${newest.version}`} title={newest.title} newest={newest} versions={all} />;
}

function Editor({ title, newest, versions }: { title: string; newest: Policy | null; versions: Policy[] }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const errorText = useErrorText();
  const stored = newest === null ? blank : formOf(newest);
  const [draft, setDraft] = useDraft<PolicyForm>(`policy:${newest?.key ?? 'new'}`);
  const [previewed, setPreviewed] = useState(false);
  const [tried, setTried] = useState(false);
  const [round, setRound] = useState(0);
  const form = { ...stored, ...draft };
  const faults = faultsOf(form);
  const change = (part: Partial<PolicyForm>) => setDraft({ ...form, ...part });

  const publish = useMutation({
    mutationFn: () => publishPolicy(toPublish(form)),
    onSuccess: (policy) => {
      setDraft(null);
      toasts.show({ text: newest !== null && policy.version === newest.version ? t('policies.unchanged') : t('policies.isPublished', { title: policy.title, version: policy.version }) });
      void client.invalidateQueries({ queryKey: keys.policies });
      void navigate('/admin/core/policies');
    },
  });
  const submit = () => {
    setTried(true);
    if (faults.size === 0) publish.mutate();
  };
  const fault = (part: PolicyFault) => (tried && faults.has(part) ? t(`policies.fault.${part}`) : undefined);

  return (
    <>
      <Back to="/admin/core/policies" text={t('admin.policies')} />
      <PageHead title={<bdi>{title}</bdi>} hint={newest === null ? t('policies.newHint') : t('policies.editHint', { version: newest.version })} />
      {newest !== null && newest.retiredAt !== null && <Callout tone="amber">{t('policies.isRetired')}</Callout>}
      {publish.isError && (
        <Callout tone="red" alert title={t('policies.refused')}>
          {errorText(publish.error)}
        </Callout>
      )}
      <Form className={classes.form} label={title} submit={submit}>
        <Segments
          aria-label={t('policies.mode')}
          value={previewed ? 'preview' : 'write'}
          onChange={(mode) => setPreviewed(mode === 'preview')}
          data={[
            { value: 'write', label: t('policies.write') },
            { value: 'preview', label: t('policies.preview') },
          ]}
        />
        {previewed ? (
          <article className={classes.preview}>
            <h2 dir="auto">{form.title === '' ? t('board.untitled') : form.title}</h2>
            <Words body={form.text} />
          </article>
        ) : (
          <Suspense fallback={<Loading rows={6} />} key={round}>
            <TextInput
              label={t('policies.title')}
              value={form.title}
              error={fault('title')}
              onChange={(event) => {
                const next = event.currentTarget.value;
                const follows = newest === null && (form.key === '' || form.key === keyFor(form.title));
                change({ title: next, ...(follows ? { key: keyFor(next) } : {}) });
              }}
            />
            {newest === null && (
              <TextInput
                label={t('policies.key')}
                description={t('policies.keyHint')}
                value={form.key}
                error={fault('key')}
                dir="ltr"
                onChange={(event) => change({ key: event.currentTarget.value })}
              />
            )}
            <Part label={t('policies.text')} hint={t('policies.textHint')} fault={fault('text')}>
              <RichEditor label={t('policies.text')} doc={form.text} onChange={(text) => change({ text })} />
            </Part>
            <Part label={t('policies.template')} hint={t('policies.templateHint')} fault={fault('template')}>
              <RichEditor label={t('policies.template')} doc={form.template} onChange={(template) => change({ template })} />
            </Part>
            <div className={classes.strikes}>
              <NumberInput label={t('policies.strikes')} description={t('policies.strikesHint')} {...strikeLimits.strikes} allowDecimal={false} clampBehavior="none" value={form.strikes} error={fault('strikes')} onChange={(strikes) => change({ strikes: asNumber(strikes) })} />
              <NumberInput label={t('policies.strikeDays')} description={t('policies.strikeDaysHint')} {...strikeLimits.strikeDays} allowDecimal={false} clampBehavior="none" value={form.strikeDays} error={fault('strikeDays')} onChange={(strikeDays) => change({ strikeDays: asNumber(strikeDays) })} />
            </div>
            <Checkbox label={t('policies.reportable')} description={t('policies.reportableHint')} checked={form.reportable} onChange={(event) => change({ reportable: event.currentTarget.checked })} />
            <Checkbox label={t('policies.secondKey')} description={t('policies.secondKeyHint')} checked={form.secondKey} onChange={(event) => change({ secondKey: event.currentTarget.checked })} />
            <StatementFields basis={form.statement} fault={fault} onChange={(statement) => change({ statement })} />
          </Suspense>
        )}
        <div className={shared.foot}>
          {draft !== null && (
            <DiscardDraft
              discard={() => {
                setDraft(null);
                setTried(false);
                setRound(round + 1);
              }}
            />
          )}
          <Button type="submit" loading={publish.isPending} disabled={newest !== null && newest.retiredAt === null && draft === null}>
            {newest === null ? t('policies.publish') : t('policies.publishVersion', { version: newest.version + 1 })}
          </Button>
        </div>
      </Form>
      {versions.length > 0 && <PolicyVersions versions={versions} />}
    </>
  );
}

/** What is typed into a field of a number: nothing while it is empty. */
const asNumber = (value: string | number) => (value === '' ? '' : Number(value));

function Part({ label, hint, fault, children }: { label: string; hint: string; fault: string | undefined; children: ReactNode }) {
  return (
    <div>
      <p className={shared.label}>{label}</p>
      <p className={classes.hint}>{hint}</p>
      {children}
      {fault !== undefined && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

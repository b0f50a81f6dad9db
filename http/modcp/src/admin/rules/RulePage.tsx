import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { keys } from '../../api/queryKeys';
import { retireRule, ruleVersions } from '../../api/rules';
import { useI18n } from '../../i18n/I18n';
import { Callout } from '../../ui/Callout';
import { Confirm } from '../../ui/Confirm';
import { PageHead } from '../../ui/Panel';
import { Empty, Failure, Loading } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import shared from '../shared/Admin.module.css';
import { Back } from '../shared/Back';
import { RuleModePanel } from './RuleMode';
import { RuleMatches } from './RuleMatches';
import { RuleEditor } from './RuleEditor';
import classes from './Rules.module.css';
import { RuleVersions } from './RuleVersions';

export function NewRule() {
  const { t } = useI18n();
  useTitle(t('auto.new'));
  return (
    <>
      <Back to="/admin/core/rules" text={t('admin.rules')} />
      <PageHead title={t('auto.new')} hint={t('auto.newHint')} />
      <RuleEditor newest={null} />
    </>
  );
}

/** A rule: what it may do, its next version, and those that there are. */
export function RulePage() {
  const { key = '' } = useParams();
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [retires, setRetires] = useState(false);
  const versions = useQuery({ queryKey: keys.ruleVersions(key), queryFn: ({ signal }) => ruleVersions(key, signal) });
  const newest = versions.data?.edges[0];
  useTitle(newest?.title ?? t('admin.rules'));
  const retire = useMutation({
    mutationFn: () => retireRule(key),
    onSuccess: ({ title }) => toasts.show({ text: t('auto.retired', { title }) }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.rules }),
  });
  if (versions.isPending) return <Loading rows={8} />;
  if (versions.data === undefined) return <Failure error={versions.error} retry={() => void versions.refetch()} />;
  if (newest === undefined) return <Empty page icon="search" title={t('auto.notFound')} />;
  return (
    <>
      <Back to="/admin/core/rules" text={t('admin.rules')} />
      <PageHead title={<bdi>{newest.title}</bdi>} hint={t('auto.editHint', { version: newest.version })}>
        {newest.retiredAt === null && (
          <Button variant="default" c="var(--d-red)" loading={retire.isPending} onClick={() => setRetires(true)}>
            {t('auto.retire')}
          </Button>
        )}
      </PageHead>
      <div className={classes.stack}>
        {newest.retiredAt === null ? <RuleModePanel of={newest} /> : <Callout tone="amber">{t('auto.isRetired')}</Callout>}
        <RuleMatches of={key} />
        <RuleEditor key={newest.version} newest={newest} />
        <RuleVersions key={`${newest.version}-all`} versions={versions.data.edges} />
      </div>
      {retires && (
        <Confirm danger title={t('auto.retire')} action={t('auto.retire')} confirm={() => retire.mutate()} close={() => setRetires(false)}>
          <p className={shared.muted}>{t('auto.retireHint')}</p>
        </Confirm>
      )}
    </>
  );
}

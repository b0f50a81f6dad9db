import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { keys } from '../../api/queryKeys';
import { listPolicies, retirePolicy, type Policy } from '../../api/policies';
import { useI18n } from '../../i18n/I18n';
import { words } from '../../richtext/document';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import classes from '../shared/Admin.module.css';
import { Confirm } from '../../ui/Confirm';
import { DataTable } from '../../ui/DataTable';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { Named } from '../shared/Named';
import own from './Policies.module.css';

/** The policies, those that are retired too: publish, edit, compare and retire them. */
export function Policies() {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [retired, setRetired] = useState<Policy | null>(null);
  useTitle(t('admin.policies'));
  const list = useInfiniteQuery({
    queryKey: [...keys.policies, 'admin'],
    queryFn: ({ pageParam, signal }) => listPolicies({ versions: 'latest', first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  const retire = useMutation({
    mutationFn: (policy: Policy) => retirePolicy(policy.key),
    onSuccess: (_answer, policy) => toasts.show({ text: t('policies.retired', { title: policy.title }) }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.policies }),
  });

  return (
    <>
      <PageHead title={t('admin.policies')} hint={t('policies.hint')}>
        {list.isSuccess && (
          <>
            <Button component="a" href="/rules" target="_blank" variant="default" leftSection={<Icon name="external" size={16} />}>
              {t('policies.public')}
            </Button>
            <Button component={Link} to="ladder" variant="default" leftSection={<Icon name="layers" size={16} />}>
              {t('ladder.title')}
            </Button>
            <Button component={Link} to="new" leftSection={<Icon name="plus" size={16} />}>
              {t('policies.new')}
            </Button>
          </>
        )}
      </PageHead>
      <ListFrame list={list} empty={<Empty icon="book" title={t('policies.empty')} hint={t('policies.emptyHint')} />}>
        {(policies: Policy[]) => (
          <DataTable
            label={t('admin.policies')}
            rows={policies}
            rowKey={(policy) => policy.key}
            columns={[
              {
                key: 'title',
                title: t('policies.title'),
                cell: (policy) => (
                  <div>
                    <Named text={policy.title} name={policy.key} />
                    <p className={own.excerpt} dir="auto">
                      {typeof policy.text === 'string' ? policy.text : words(policy.text)}
                    </p>
                  </div>
                ),
              },
              { key: 'version', title: t('policies.version'), end: true, minor: true, cell: (policy) => policy.version },
              { key: 'strikes', title: t('policies.strikes'), end: true, minor: true, cell: (policy) => (policy.strikes === 0 ? '–' : policy.strikes) },
              { key: 'published', title: t('policies.published'), end: true, cell: (policy) => <When iso={policy.publishedAt} /> },
              { key: 'retired', title: t('policies.retiredAt'), end: true, minor: true, cell: (policy) => (policy.retiredAt === null ? null : <When iso={policy.retiredAt} />) },
              {
                key: 'actions',
                title: t('admin.action'),
                actions: true,
                cell: (policy) => (
                  <div className={classes.buttons}>
                    <Button component={Link} to={`edit/${policy.key}`} size="compact-md" variant="default" aria-label={t('policies.editOf', { title: policy.title })}>
                      {t('action.edit')}
                    </Button>
                    {policy.retiredAt === null && (
                      <Button size="compact-md" variant="default" c="var(--d-red)" aria-label={t('policies.retireOf', { title: policy.title })} onClick={() => setRetired(policy)}>
                        {t('policies.retire')}
                      </Button>
                    )}
                  </div>
                ),
              },
            ]}
          />
        )}
      </ListFrame>
      {retired !== null && (
        <Confirm danger title={t('policies.retireOf', { title: retired.title })} action={t('policies.retire')} confirm={() => retire.mutate(retired)} close={() => setRetired(null)}>
          <p className={classes.muted}>{t('policies.retireHint')}</p>
        </Confirm>
      )}
    </>
  );
}

import { Button, Select } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { keys } from '../../api/queryKeys';
import { listStatements, readStatementSettings, retryStatement, statementStatuses, type DatabaseStatement } from '../../api/statements';
import { useI18n } from '../../i18n/I18n';
import { Callout } from '../../ui/Callout';
import { DataTable } from '../../ui/DataTable';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import classes from '../shared/Admin.module.css';

/** Statements of reasons to the EU's transparency database: where they are sent, and what to do about those that are not. */
export function Statements() {
  const { t, date } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [params, setParams] = useSearchParams();
  const status = statementStatuses.find((one) => one === params.get('status'));
  useTitle(t('admin.statements'));
  const settings = useQuery({ queryKey: keys.statementSettings, queryFn: ({ signal }) => readStatementSettings(signal) });
  const list = useInfiniteQuery({
    queryKey: [...keys.statements, 'list', status],
    queryFn: ({ pageParam, signal }) => listStatements({ status, first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: 15_000,
  });
  const retry = useMutation({
    mutationFn: (one: DatabaseStatement) => retryStatement(one.id),
    onSuccess: () => toasts.show({ text: t('statements.willRetry') }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.statements }),
  });

  return (
    <>
      <PageHead title={t('admin.statements')} hint={t('statements.hint')}>
        <Select
          aria-label={t('statements.status')}
          placeholder={t('statements.any')}
          clearable
          clearButtonProps={{ 'aria-label': t('action.clear') }}
          value={status ?? null}
          data={statementStatuses.map((value) => ({ value, label: t(`statements.status.${value}`) }))}
          onChange={(value) => setParams(value === null ? {} : { status: value }, { replace: true })}
        />
      </PageHead>
      {settings.data?.url === null && <Callout tone="blue">{t('statements.off')}</Callout>}
      {settings.data?.url != null && <p className={classes.muted}>{t('statements.to', { url: settings.data.url, hours: Math.round(settings.data.delaySeconds / 3600) })}</p>}
      <ListFrame list={list} empty={<Empty icon="check" title={t('statements.empty')} {...(settings.data?.url == null ? {} : { hint: t('statements.emptyHint') })} />}>
        {(statements: DatabaseStatement[]) => (
          <DataTable
            label={t('admin.statements')}
            rows={statements}
            rowKey={(one) => one.id}
            columns={[
              {
                key: 'status',
                title: t('statements.status'),
                cell: (one) => (
                  <div>
                    {t(`statements.status.${one.status}`)}
                    {one.missing.map((what) => (
                      <div key={what} className={classes.muted}>
                        {t(`statements.missing.${what}`)}
                      </div>
                    ))}
                    {one.faults.map((fault) => (
                      <div key={fault} className={classes.muted} dir="auto">
                        {fault}
                      </div>
                    ))}
                  </div>
                ),
              },
              { key: 'rule', title: t('statements.rule'), minor: true, cell: (one) => <span dir="ltr">{one.policy ?? '–'}</span> },
              { key: 'decided', title: t('statements.decided'), end: true, cell: (one) => <When iso={one.decidedAt} /> },
              { key: 'sent', title: t('statements.sentAt'), end: true, minor: true, cell: (one) => (one.sentAt === null ? null : <When iso={one.sentAt} />) },
              {
                key: 'action',
                title: t('admin.action'),
                actions: true,
                cell: (one) => (
                  <div className={classes.buttons}>
                    <Button component={Link} to={`/modcp/reports/${one.reportId}`} size="compact-md" variant="default">
                      {t('statements.open')}
                    </Button>
                    {one.status === 'refused' && (
                      <Button size="compact-md" variant="default" aria-label={t('statements.retryOf', { time: date(one.decidedAt) })} loading={retry.isPending && retry.variables.id === one.id} onClick={() => retry.mutate(one)}>
                        {t('statements.retry')}
                      </Button>
                    )}
                  </div>
                ),
              },
            ]}
          />
        )}
      </ListFrame>
    </>
  );
}

import { Button, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { keys } from '../../api/queryKeys';
import { listReports, publishReport, requestReport, type TransparencyReport } from '../../api/transparency';
import { formatDay } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';
import { Cells } from '../../transparency/Cells';
import { Confirm } from '../../ui/Confirm';
import { Form } from '../../ui/Form';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { PageHead, Panel } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { Tag } from '../../ui/Tag';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import shared from '../shared/Admin.module.css';
import classes from './Transparency.module.css';

const isUnderway = ({ state }: TransparencyReport) => state === 'queued' || state === 'running';

/** Transparency reports: have one counted, look at it, publish it. */
export function Transparency() {
  const { t, locale } = useI18n();
  const days = ({ since, until }: TransparencyReport) => ({ since: formatDay(since, locale.id), until: formatDay(until, locale.id) });
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [since, setSince] = useState(`${new Date().getUTCFullYear()}-01-01`);
  const [until, setUntil] = useState(new Date().toISOString().slice(0, 10));
  const [chosen, setChosen] = useState<TransparencyReport | null>(null);
  useTitle(t('admin.transparency'));
  const list = useInfiniteQuery({
    queryKey: keys.transparency,
    queryFn: ({ pageParam, signal }) => listReports({ first: 20, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ edges }) => edges.some(isUnderway)) === true ? 1_000 : 15_000),
  });
  const again = () => client.invalidateQueries({ queryKey: keys.transparency });
  const request = useMutation({ mutationFn: () => requestReport(since, until), onSettled: again });
  const publish = useMutation({
    mutationFn: (report: TransparencyReport) => publishReport(report.id),
    onSuccess: () => toasts.show({ text: t('transparency.published') }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: again,
  });
  return (
    <>
      <PageHead title={t('admin.transparency')} hint={t('transparency.hint')} />
      <Panel id="days" title={t('transparency.new')}>
        <Form className={classes.days} label={t('transparency.new')} fault={request.isError ? errorText(request.error) : null} submit={() => request.mutate()}>
          <TextInput type="date" label={t('transparency.since')} value={since} onChange={(event) => setSince(event.currentTarget.value)} />
          <TextInput type="date" label={t('transparency.until')} value={until} onChange={(event) => setUntil(event.currentTarget.value)} />
          <Button type="submit" loading={request.isPending} disabled={since === '' || until === ''}>
            {t('transparency.count')}
          </Button>
        </Form>
      </Panel>
      <ListFrame list={list} empty={<Empty icon="book" title={t('transparency.empty')} />}>
        {(reports: TransparencyReport[]) => (
          <div className={classes.reports}>
            {reports.map((report) => (
              <Panel key={report.id} id={`report-${report.id}`} title={t('transparency.days', days(report))}>
                <div className={shared.buttons}>
                  {report.publishedAt === null ? <Tag tone={report.state === 'failed' ? 'red' : 'blue'}>{t(`transparency.state.${report.state}`)}</Tag> : <Tag tone="green">{t('transparency.isPublished')}</Tag>}
                  {report.publishedAt !== null && <Link to={`/transparency/${report.id}`}>{t('transparency.open')}</Link>}
                  {report.state === 'done' && report.publishedAt === null && (
                    <Button size="compact-md" variant="default" onClick={() => setChosen(report)}>
                      {t('transparency.publish')}
                    </Button>
                  )}
                </div>
                {isUnderway(report) && report.total > 0 && <progress aria-label={t('transparency.progress')} max={report.total} value={report.done} />}
                {report.error !== null && <p className={shared.detail}>{report.error}</p>}
                {report.state === 'done' && (
                  <details className={shared.details}>
                    <summary>{t('transparency.numbers')}</summary>
                    <Cells cells={report.cells} />
                  </details>
                )}
              </Panel>
            ))}
          </div>
        )}
      </ListFrame>
      {chosen !== null && (
        <Confirm title={t('transparency.publishOf', days(chosen))} action={t('transparency.publish')} confirm={() => publish.mutate(chosen)} close={() => setChosen(null)}>
          <p className={shared.muted}>{t('transparency.publishHint')}</p>
          <p className={shared.muted}>{t('transparency.maskedCount', { count: chosen.masked.filter(({ value }) => typeof value !== 'number').length })}</p>
        </Confirm>
      )}
    </>
  );
}

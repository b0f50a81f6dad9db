import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../api/queryKeys';
import { maxSimilar, similarReports } from '../api/similar';
import type { Report } from '../api/types';
import { useBulk } from '../bulk/BulkProvider';
import type { BulkItem } from '../bulk/job';
import { useDecisions } from '../decision/DecisionProvider';
import { useI18n } from '../i18n/I18n';
import { useCommands } from '../keyboard/CommandProvider';
import { offers } from '../report/possibleMoves';
import { Icon } from '../ui/Icon';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import classes from './SimilarPanel.module.css';

/** The API's largest page. */
const page = 100;

/** How many open reports have the same link or nearly the same text, and the way to decide them together. */
export function SimilarPanel({ report }: { report: Report }) {
  const { t } = useI18n();
  const bulk = useBulk();
  const toasts = useToasts();
  const errorText = useErrorText();
  const { held } = useDecisions();
  const [loading, setLoading] = useState(false);
  const found = useQuery({
    queryKey: keys.similar(report.id),
    queryFn: ({ signal }) => similarReports(report.id, { first: 1 }, signal),
    enabled: report.snapshot !== null,
  });
  const count = found.data?.pageInfo.totalCount ?? 0;
  const open = async () => {
    setLoading(true);
    try {
      const own = offers(report, 'resolve') && report.status !== 'done' && !held.has(report.id);
      const items: BulkItem[] = own ? [{ id: report.id, title: report.snapshot?.title ?? null, similarity: 1 }] : [];
      for (let cursor: string | undefined; ; ) {
        const { edges, pageInfo } = await similarReports(report.id, { first: page, cursor });
        items.push(...edges.map(({ report: { id, title, excerpt }, similarity }) => ({ id, title, excerpt, similarity })));
        if (!pageInfo.hasNextPage || pageInfo.endCursor === null || items.length >= maxSimilar) break;
        cursor = pageInfo.endCursor;
      }
      bulk.open('resolve', items.slice(0, maxSimilar), undefined, report);
    } catch (error) {
      toasts.show({ text: errorText(error), tone: 'error' });
    } finally {
      setLoading(false);
    }
  };

  useCommands(count === 0 ? [] : [{ id: 'similar', title: `${t('similar.title')}: ${t('similar.open')}`, run: () => void open() }]);
  if (count === 0) return null;

  return (
    <section className={classes.panel} aria-label={t('similar.title')}>
      <Icon name="layers" size={16} />
      <span className={classes.text}>{t('similar.count', { count })}</span>
      <Button size="compact-sm" variant="default" loading={loading} onClick={() => void open()}>
        {t('similar.open')}
      </Button>
    </section>
  );
}

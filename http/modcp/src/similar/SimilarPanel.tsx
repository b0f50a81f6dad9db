import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { keys } from '../api/queryKeys';
import { maxSimilar, similarReports } from '../api/similar';
import type { Report } from '../api/types';
import { useBulk } from '../bulk/BulkProvider';
import type { BulkItem } from '../bulk/job';
import { useDecisions } from '../decision/DecisionProvider';
import { useI18n } from '../i18n/I18n';
import { useCommands } from '../keyboard/CommandProvider';
import { useStep } from '../keyboard/ShortcutProvider';
import { offers } from '../report/possibleMoves';
import { Icon } from '../ui/Icon';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import classes from './SimilarPanel.module.css';

/** The API's largest page. */
const page = 100;

interface Props {
  report: Report;
  /** How many reports are decided together with it already, itself among them. */
  together: number;
}

/** How many other open reports have the same link or nearly the same text, and the way to decide them together. */
export function SimilarPanel({ report, together }: Props) {
  const { t } = useI18n();
  const bulk = useBulk();
  const toasts = useToasts();
  const errorText = useErrorText();
  const { held } = useDecisions();
  const step = useStep();
  const [loading, setLoading] = useState(false);
  const found = useQuery({
    queryKey: keys.similar(report.id),
    queryFn: ({ signal }) => similarReports(report.id, { first: Math.min(together, page) }, signal),
    enabled: report.snapshot !== null,
  });
  // Those on the same content are of its case.
  const own = together === 1 ? [] : (found.data?.edges.filter((row) => row.report.target.id === report.target.id && row.report.target.type === report.target.type) ?? []);
  const count = (found.data?.pageInfo.totalCount ?? 0) - own.length;
  const latest = useRef({ report, held });
  useEffect(() => {
    latest.current = { report, held };
  });
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  const read = async () => {
    setLoading(true);
    try {
      const others: BulkItem[] = [];
      for (let cursor: string | undefined; ; ) {
        const { edges, pageInfo } = await similarReports(report.id, { first: page, cursor });
        others.push(...edges.map(({ report: { id, title, excerpt }, similarity }) => ({ id, title, excerpt, similarity })));
        if (!pageInfo.hasNextPage || pageInfo.endCursor === null || others.length >= maxSimilar) break;
        cursor = pageInfo.endCursor;
      }
      if (left.current) return true;
      // The report may have been decided meanwhile.
      const { report: now, held: waiting } = latest.current;
      const own: BulkItem[] = offers(now, 'resolve') && now.status !== 'done' && !waiting.has(now.id) ? [{ id: now.id, title: now.snapshot?.title ?? null, similarity: 1 }] : [];
      // Rendered at once, so that the dialog has the keys that waited.
      flushSync(() => bulk.open('resolve', [...own, ...others].slice(0, maxSimilar), undefined, now));
      return true;
    } catch (error) {
      toasts.show({ text: errorText(error), tone: 'error' });
      return false;
    } finally {
      setLoading(false);
    }
  };
  const open = () => void step(read);

  useCommands(count === 0 ? [] : [{ id: 'similar', title: `${t('similar.title')}: ${t('similar.open')}`, run: open }]);
  if (count === 0) return null;

  return (
    <section className={classes.panel} aria-label={t('similar.title')}>
      <Icon name="layers" size={16} />
      <span className={classes.text}>{t('similar.count', { count })}</span>
      <Button size="compact-sm" variant="default" loading={loading} onClick={open}>
        {t('similar.open')}
      </Button>
    </section>
  );
}

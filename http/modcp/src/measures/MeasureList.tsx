import { Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { listMeasures, type Measure } from '../api/measures';
import { keys } from '../api/queryKeys';
import { measureKinds } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { usePollInterval } from '../live/LiveProvider';
import { useRefresh } from '../live/useRefresh';
import { ListFrame, nextCursor } from '../ui/ListFrame';
import { moveFocus } from '../ui/moveFocus';
import { PageHead } from '../ui/Panel';
import { Empty } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { MeasureRow } from './MeasureRow';
import frame from '../ui/TabbedList.module.css';
import classes from './Measures.module.css';

const tabs = ['standing', 'ended'] as const;
const pollEvery = 20_000;

/** The measures on authors: those that stand, what ends next first, and those that have ended. */
export function MeasureList() {
  const { t } = useI18n();
  const [params, setParams] = useSearchParams();
  const poll = usePollInterval(pollEvery);
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'standing';
  const kind = measureKinds.find((name) => name === params.get('kind')) ?? null;
  useTitle(t('measures.title'));
  const list = useInfiniteQuery({
    queryKey: [...keys.measures, tab, kind],
    queryFn: ({ pageParam, signal }) =>
      listMeasures({ status: tab, kind: kind ?? undefined, orderBy: tab === 'standing' ? 'until' : 'imposedAt', order: tab === 'standing' ? 'asc' : 'desc', first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: poll,
  });

  useRefresh(keys.measures, 200, (event) => event.kind === 'reset' || (event.kind === 'change' && event.type.startsWith('measure_')));

  useShortcuts(bind('measures', { next: () => moveFocus('a[data-measure]', 1), previous: () => moveFocus('a[data-measure]', -1) }));

  const search = (name: (typeof tabs)[number]) => new URLSearchParams({ ...(name === 'standing' ? {} : { tab: name }), ...(kind === null ? {} : { kind }) }).toString();
  return (
    <div className="page">
      <PageHead title={t('measures.title')} hint={t('measures.hint')}>
        <Select
          className={classes.filter}
          aria-label={t('measure.kind')}
          placeholder={t('measures.allKinds')}
          clearable
          value={kind}
          data={measureKinds.map((one) => ({ value: one, label: t(`measure.is.${one}`) }))}
          onChange={(next) => setParams(new URLSearchParams({ ...(tab === 'standing' ? {} : { tab }), ...(next === null ? {} : { kind: next }) }))}
        />
      </PageHead>
      <section className={frame.card} aria-label={t('measures.title')}>
        <nav className={frame.tabs} aria-label={t('measures.tabs')}>
          {tabs.map((name) => (
            <Link key={name} to={{ search: search(name) }} className={frame.tab} aria-current={name === tab ? 'page' : undefined}>
              {t(`measures.tab.${name}`)}
            </Link>
          ))}
        </nav>
        <ListFrame list={list} empty={<Empty icon="shield" title={t(`measures.empty.${tab}`)} />}>
          {(rows: Measure[]) => (
            <ul className={`bare ${classes.list}`}>
              {rows.map((row) => (
                <MeasureRow key={row.id} measure={row} withAuthor />
              ))}
            </ul>
          )}
        </ListFrame>
      </section>
    </div>
  );
}

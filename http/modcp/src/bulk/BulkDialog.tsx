import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { asApiError } from '../api/http';
import { informsAuthor, readReport } from '../api/reports';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { AssigneePicker } from '../report/work/AssigneePicker';
import { DecisionFields } from '../decision/DecisionFields';
import { reasonsFit } from '../decision/reasons';
import { useContentAction, type DecisionDraft } from '../decision/useContentAction';
import { NeedsSecond } from '../held/NeedsSecond';
import { MeasureFields } from '../measures/MeasureFields';
import { useMeasureChoice } from '../measures/useMeasureChoice';
import { Dialog } from '../ui/Dialog';
import { Form } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { explanationLimit, length } from '../ui/limits';
import { ReasonTag, StatusTag } from '../ui/Tag';
import { usePermission } from '../session/usePermission';
import { useUser } from '../session/useSession';
import { SimilarCards } from '../similar/SimilarCards';
import { useErrorText } from '../ui/useErrorText';
import classes from './BulkDialog.module.css';
import type { BulkItem, BulkKind, BulkOrder } from './job';
import { pool } from './pool';
import { reportsOfAuthors } from './reportsOfAuthors';

interface Checked {
  item: BulkItem;
  report: Report | null;
  error: unknown;
}

const width = 4;

interface Props {
  kind: BulkKind;
  items: BulkItem[];
  /** The report that the others are look-alikes of; what differs is marked, and each can be left out. */
  against?: Report;
  close: () => void;
  order: (order: BulkOrder) => void;
}

/** Reads each report again, shows which ones the server would accept, then takes the order. */
export function BulkDialog({ kind, items, against, close, order }: Props) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [checked, setChecked] = useState<Checked[] | null>(null);
  const [done, setDone] = useState(0);
  const [assigneeId, setAssigneeId] = useState<string | null>(null);
  const [decision, setDecision] = useState<DecisionDraft | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const self = useUser();
  const imposes = usePermission('can_impose_measures');
  const confirm = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    const abort = new AbortController();
    void pool(
      items,
      width,
      async (item): Promise<Checked> => {
        try {
          return { item, report: await readReport(item.id, abort.signal), error: null };
        } catch (error) {
          return { item, report: null, error };
        }
      },
      (count) => {
        if (!abort.signal.aborted) setDone(count);
      },
    ).then((results) => {
      if (!abort.signal.aborted) setChecked(results);
    });
    return () => abort.abort();
  }, [items]);

  // A report that a colleague holds is left to them.
  const held = (report: Report) => kind !== 'assign' && report.status === 'in_progress' && report.assignee !== null && report.assignee.id !== self?.id;
  const fits = (report: Report | null) => report !== null && report.moves.includes(kind) && !held(report);
  const ready = checked?.flatMap(({ report }) => (report !== null && fits(report) && !left.has(report.id) ? [report] : [])) ?? [];
  const measured = kind === 'resolve' ? reportsOfAuthors(ready) : [];
  const measures = useMeasureChoice(
    measured.map(({ id, decisions }) => ({ id, decisions: Math.max(1, decisions) })),
    decision,
  );
  const complete = kind === 'claim' || (kind === 'assign' ? assigneeId !== null : decision !== null && length(decision.explanation) <= explanationLimit && reasonsFit(decision) && measures.ready);
  const content = useContentAction(kind === 'resolve' ? ready : [], decision);

  useEffect(() => {
    if (checked !== null && kind === 'claim') confirm.current?.focus();
  }, [checked, kind]);

  const submit = () => {
    if (!content.settled()) return;
    order({
      kind,
      items: ready.map((report) => {
        const item = items.find(({ id }) => id === report.id);
        return { id: report.id, version: report.version, title: report.snapshot?.title ?? item?.title ?? null, excerpt: item?.excerpt, report };
      }),
      ...(kind === 'assign' && assigneeId !== null ? { assigneeId } : {}),
      ...(kind === 'resolve' && decision !== null ? { decision, action: content.action, measured: measured.map(({ id }) => ({ id, measures: measures.requests(id) })).filter((one) => one.measures.length > 0) } : {}),
    });
  };

  const stateOf = ({ report, error }: Checked) =>
    checked === null
      ? '…'
      : report === null
        ? errorText(asApiError(error))
        : fits(report)
          ? t('bulk.ready')
          : report.assignee !== null && held(report)
            ? t('board.takenBy', { name: report.assignee.name })
            : t('bulk.skipped');
  const all = checked ?? items.map((item): Checked => ({ item, report: null, error: null }));

  return (
    <Dialog close={close} size={against === undefined ? 'lg' : 'min(1180px, 96vw)'} title={against === undefined ? t(`bulk.preview.${kind}`, { count: items.length }) : t('similar.title')}>
      <Form submit={submit} className={classes.form}>
        <p className={classes.hint} role="status" data-autofocus={kind === 'claim' || undefined} tabIndex={-1}>
          {checked === null ? t('bulk.checking', { done, total: items.length }) : t(against === undefined ? 'bulk.preview.hint' : 'similar.hint')}
        </p>
        {kind === 'assign' && items[0] !== undefined && <AssigneePicker reportId={ready[0]?.id ?? items[0].id} value={assigneeId} onChange={setAssigneeId} autoFocus />}
        {against !== undefined && (
          <SimilarCards
            against={against}
            cards={all.map((one) => ({ item: one.item, report: one.report, ready: fits(one.report), state: stateOf(one) }))}
            left={left}
            toggle={(id) => setLeft(left.has(id) ? new Set([...left].filter((one) => one !== id)) : new Set([...left, id]))}
          />
        )}
        {kind === 'resolve' && (
          <DecisionFields decision={decision} onChange={setDecision} content={content} reportId={against?.id}>
            {decision !== null && measured.length > 0 && <MeasureFields reports={measured} draft={decision} onChange={setDecision} choice={measures} />}
            {decision !== null && measured.length === 0 && ready.length > 0 && informsAuthor(decision) && imposes && <p className={classes.hint}>{t('measure.notInBulk')}</p>}
            <NeedsSecond reports={ready} decision={decision} action={content.action} />
          </DecisionFields>
        )}
        {against === undefined && (
          <ul className={classes.list} aria-busy={checked === null}>
            {all.map((one) => (
              <li key={one.item.id} className={classes.item}>
                <span className={classes.name}>
                  <span className={classes.title} dir="auto">
                    {one.report?.snapshot?.title ?? one.item.title ?? t('board.untitled')}
                  </span>
                  {one.item.excerpt != null && one.item.excerpt !== '' && (
                    <span className={`small ${classes.excerpt}`} dir="auto">
                      {one.item.excerpt}
                    </span>
                  )}
                </span>
                {one.report !== null && (
                  <>
                    <ReasonTag reason={one.report.reason} />
                    <StatusTag status={one.report.status} />
                  </>
                )}
                <span className={classes.verdict} data-ready={fits(one.report) || undefined}>
                  {stateOf(one)}
                </span>
              </li>
            ))}
          </ul>
        )}
        <div className={classes.foot}>
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button ref={confirm} type="submit" leftSection={<Icon name="check" size={16} />} disabled={checked === null || ready.length === 0 || !complete}>
            {t(against === undefined ? `bulk.preview.${kind}` : 'cases.decide', { count: checked === null ? items.length : ready.length })}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

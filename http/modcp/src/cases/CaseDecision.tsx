import { Button, Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, type To } from 'react-router';
import { decideCase } from '../api/cases';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import type { Report, ReportItem } from '../api/types';
import { useDecisions } from '../decision/DecisionProvider';
import { PreviewButton } from '../decision/StatementPreview';
import { DecisionFields } from '../decision/DecisionFields';
import { useContentAction, type DecisionDraft } from '../decision/useContentAction';
import { useVerdicts, type Decide } from '../decision/useVerdicts';
import { Verdicts } from '../decision/Verdicts';
import { reasonsFit } from '../decision/reasons';
import { useI18n } from '../i18n/I18n';
import { mayAct, offers } from '../report/possibleMoves';
import { readSetting, writeSetting } from '../storage/settings';
import { useDraft } from '../storage/drafts';
import { useUser } from '../session/useSession';
import { Callout } from '../ui/Callout';
import { Form } from '../ui/Form';
import { caseDecisionLimit, length, noteLimits } from '../ui/limits';
import { Panel } from '../ui/Panel';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import classes from './Cases.module.css';
import { SetAside } from './SetAside';
import { useNextCase } from './useNextCase';

interface Props {
  /** The first report, which says what may be done to the content. */
  report: Report;
  rows: ReportItem[];
  /** What a key asked for. */
  asked: 'resolve' | 'hide' | 'unhide' | null;
  taken: () => void;
  list: To;
  changed: () => void;
}

/** One decision for the reports of a case that nobody else holds. */
export function CaseDecision({ report, rows, asked, taken, list, changed }: Props) {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const errorText = useErrorText();
  const self = useUser();
  const next = useNextCase();
  const { held, hold } = useDecisions();
  const draftKey = `case:${report.target.type}:${report.target.id}:decision`;
  const [draft, setDraft] = useDraft<DecisionDraft>(draftKey);
  const content = useContentAction([report], draft);
  const { action, actions, setAction } = content;
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [advance, setAdvanceState] = useState(() => readSetting('advance') === 'on');
  const free = rows.filter((row) => row.status === 'new' || row.assignee === null || row.assignee.id === self?.id);
  const decided = free.slice(0, caseDecisionLimit);
  const valid = decided.length > 0 && (draft !== null || action !== null) && (draft === null || (length(draft.explanation) <= noteLimits.max && reasonsFit(draft)));

  useEffect(() => {
    if (asked === null) return;
    if ((asked === 'hide' || asked === 'unhide') && actions.includes(asked)) setAction(asked);
    if (asked === 'resolve') document.querySelector<HTMLElement>('#case-decision [role="radio"]')?.focus();
    taken();
  }, [asked, actions, setAction, taken]);

  const waits = held.get(report.id)?.error === null;
  const decide: Decide = (decision, done) => {
    if (waits || decided.length === 0) return;
    hold({ report, together: decided, draft: draftKey, title: report.snapshot?.title ?? null, decision, action: done });
    // Until the decision is sent, the next case could be this one, unless the user holds it.
    if (advance && decided.every((row) => row.assignee?.id === self?.id)) void next();
    else void navigate(list);
  };
  const fillIn: Decide = (decision, does) => {
    setDraft(decision);
    setAction(does);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('#case-decision [role="radio"][aria-checked="true"]')?.focus());
  };
  const { verdicts, give } = useVerdicts(report, { decide, fillIn });

  if (!mayAct(report) && !offers(report, 'resolve')) return null;

  const submit = async () => {
    if (!content.settled()) return;
    if (draft !== null) {
      decide(draft, action);
      return;
    }
    setSending(true);
    setRefused(null);
    try {
      const outcome = await decideCase(report.target, decided, { action: action ?? undefined });
      setAction(null);
      toasts.show({ text: t('cases.done', { count: outcome.reports.length, remaining: outcome.remaining }) });
      for (const queryKey of [keys.reports, keys.cases, keys.report(report.id)]) void client.invalidateQueries({ queryKey });
    } catch (error) {
      const failure = asApiError(error);
      const conflicts = failure.body.conflicts;
      setRefused(Array.isArray(conflicts) ? t('cases.conflicts', { count: conflicts.length }) : errorText(failure));
    } finally {
      changed();
      setSending(false);
    }
  };

  return (
    <Panel id="case-decision-title" title={t('cases.decide', { count: decided.length })}>
      <SetAside target={report.target} leave={() => void next().then((went) => (went ? undefined : navigate(list)))} />
      <Verdicts verdicts={verdicts} disabled={waits} give={give} />
      <Form id="case-decision" className={classes.form} label={t('cases.decide', { count: decided.length })} submit={() => void submit()}>
        {refused !== null && <Callout tone="amber" alert>{refused}</Callout>}
        {free.length < rows.length && <p className={classes.muted}>{t('cases.heldByOthers', { count: rows.length - free.length })}</p>}
        <DecisionFields decision={draft} onChange={setDraft} content={content} />
        <PreviewButton report={report} decision={draft} action={action} />
        <Switch
          size="xs"
          label={t('cases.advance')}
          checked={advance}
          onChange={(event) => {
            writeSetting('advance', event.currentTarget.checked ? 'on' : 'off');
            setAdvanceState(event.currentTarget.checked);
          }}
        />
        <div className={classes.foot}>
          <Button type="submit" disabled={!valid || waits} loading={sending}>
            {t('cases.decide', { count: decided.length })}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

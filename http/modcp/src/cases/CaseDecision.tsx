import { Button, Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, type To } from 'react-router';
import { decideCase } from '../api/cases';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { type Decision } from '../api/reports';
import type { Report, ReportItem } from '../api/types';
import { DecisionFields } from '../decision/DecisionFields';
import { useContentAction } from '../decision/useContentAction';
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
  const [draft, setDraft] = useDraft<Decision>(`case:${report.target.type}:${report.target.id}:decision`);
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

  if (!mayAct(report) && !offers(report, 'resolve')) return null;

  const submit = async () => {
    if (!content.settled()) return;
    setSending(true);
    setRefused(null);
    try {
      const outcome = await decideCase(report.target, decided, { action: action ?? undefined, decision: draft ?? undefined });
      if (draft !== null) setDraft(null);
      setAction(null);
      toasts.show({ text: t('cases.done', { count: outcome.reports.length, remaining: outcome.remaining }) });
      void client.invalidateQueries({ queryKey: keys.reports });
      void client.invalidateQueries({ queryKey: keys.cases });
      void client.invalidateQueries({ queryKey: keys.report(report.id) });
      if (outcome.remaining > 0 || draft === null) changed();
      else if (advance) await next();
      else void navigate(list);
    } catch (error) {
      const failure = asApiError(error);
      const conflicts = failure.body.conflicts;
      setRefused(Array.isArray(conflicts) ? t('cases.conflicts', { count: conflicts.length }) : errorText(failure));
      changed();
    } finally {
      setSending(false);
    }
  };

  return (
    <Panel id="case-decision-title" title={t('cases.decide', { count: decided.length })}>
      <Form id="case-decision" className={classes.form} label={t('cases.decide', { count: decided.length })} submit={() => void submit()}>
        {refused !== null && <Callout tone="amber" alert>{refused}</Callout>}
        {free.length < rows.length && <p className={classes.muted}>{t('cases.heldByOthers', { count: rows.length - free.length })}</p>}
        <DecisionFields decision={draft} onChange={setDraft} content={content} />
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
          <Button type="submit" disabled={!valid} loading={sending}>
            {t('cases.decide', { count: decided.length })}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

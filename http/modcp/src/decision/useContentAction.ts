import { useState } from 'react';
import type { Decision } from '../api/reports';
import type { Report } from '../api/types';
import type { MeasureDraft } from '../measures/measureDraft';
import { runnable } from '../report/possibleMoves';
import { contradiction, suits, type Contradiction } from './contradiction';

/** An action on the content that goes with a decision, and the question that a contradiction between the two asks. */
export interface ContentAction {
  /** What can be done to the content, as far as it suits the outcome. */
  actions: readonly string[];
  action: string | null;
  setAction: (action: string | null) => void;
  asked: Contradiction | null;
  /** Reports whether the decision may be sent; asks first where it contradicts what the content will be like, until it is explained. */
  settled: () => boolean;
}

/** A decision that is being written, with the action that was last chosen with it, and what was changed of its measures. */
export type DecisionDraft = Decision & MeasureDraft & { action?: string | null };

export function useContentAction(reports: readonly Report[], decision: DecisionDraft | null): ContentAction {
  const [chosen, setAction] = useState(decision?.action ?? null);
  const [asked, setAsked] = useState<Contradiction | null>(null);
  const resolution = decision?.resolution ?? null;
  const actions = [...new Set(reports.flatMap((report) => runnable(report).map(({ name }) => name)))].filter((name) => suits(resolution, name));
  const action = chosen !== null && actions.includes(chosen) ? chosen : null;
  const found = reports.map((report) => contradiction(report, resolution, action)).find((one) => one !== null) ?? null;
  const settled = () => {
    if (found === null || (asked === found && decision?.explanation.trim() !== '')) return true;
    setAsked(found);
    return false;
  };
  return { actions, action, setAction, asked: asked === found ? asked : null, settled };
}

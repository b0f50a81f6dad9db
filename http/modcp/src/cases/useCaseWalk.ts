import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { listCases, type Case, type CaseTarget } from '../api/cases';
import { keys } from '../api/queryKeys';
import { reasons, type Page } from '../api/types';
import { readFilters } from '../board/filters';
import type { WalkRow } from '../report/SplitView';
import type { Walk } from '../report/useWalk';
import { useSetting } from '../storage/settings';
import { casePath, casesQuery } from './caseLinks';
import { readCaseAhead } from './readAhead';

/** How many cases are read before they are opened. */
const ahead = 2;

const none: readonly Case[] = [];

/** Moves through the page of cases that was open last, as it was when the walk began. */
export function useCaseWalk({ pluginId, type, id }: CaseTarget): Walk {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const filters = useMemo(() => readFilters(params), [params]);
  const [left] = useState(() => client.getQueryData<Page<Case>>(keys.caseList(filters))?.edges ?? none);
  // Where none was open, one is read to stand beside the case.
  const split = useSetting('split') === 'on';
  const read = useQuery({ queryKey: keys.caseWalk(filters), queryFn: ({ signal }) => listCases(casesQuery(filters, Date.now()), signal), enabled: split && left.length === 0, staleTime: Infinity });
  const rows = left.length > 0 ? left : (read.data?.edges ?? none);
  const at = rows.findIndex(({ target }) => target.pluginId === pluginId && target.type === type && target.id === id);
  const step = (by: 1 | -1) => (at === -1 ? rows[0] : rows[at + by]);
  useEffect(() => {
    for (const { target } of at === -1 ? [] : rows.slice(at + 1, at + 1 + ahead)) void readCaseAhead(client, target).catch(() => undefined);
  }, [at, client, rows]);
  const search = params.size === 0 ? '' : `?${params.toString()}`;
  return {
    canNext: step(1) !== undefined,
    canPrevious: at > 0,
    position: at === -1 ? null : at + 1,
    rows: useMemo(() => rows.map((row) => walkRow(row, search)), [rows, search]),
    go: async (by) => {
      const to = step(by);
      if (to === undefined) return false;
      await navigate(casePath(to.target, search));
      return true;
    },
  };
}

const walkRow = ({ target, title, excerpt, reasons: counted, firstAt }: Case, search: string): WalkRow => ({
  key: `${target.type}:${target.id}`,
  to: casePath(target, search),
  text: excerpt === '' ? title : excerpt,
  about: excerpt === '' ? '' : title,
  reasons: reasons.filter((reason) => (counted[reason] ?? 0) > 0),
  at: firstAt,
});

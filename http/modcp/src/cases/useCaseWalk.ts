import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Case } from '../api/cases';
import { keys } from '../api/queryKeys';
import type { Page, TargetRef } from '../api/types';
import { readFilters } from '../board/filters';
import type { Walk } from '../report/useWalk';
import { casePath } from './caseLinks';
import { readCaseAhead } from './readAhead';

/** How many cases are read before they are opened. */
const ahead = 2;

/** Moves through the page of cases that was open last, as it was when the walk began. */
export function useCaseWalk({ pluginId, type, id }: Pick<TargetRef, 'pluginId' | 'type' | 'id'>): Walk {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [rows] = useState(() => client.getQueryData<Page<Case>>(keys.caseList(readFilters(params)))?.edges ?? []);
  const at = rows.findIndex(({ target }) => target.pluginId === pluginId && target.type === type && target.id === id);
  const step = (by: 1 | -1) => (at === -1 ? rows[0] : rows[at + by]);
  const after = rows.slice(at + 1, at + 1 + ahead);
  useEffect(() => {
    for (const { target } of at === -1 ? [] : after) void readCaseAhead(client, target).catch(() => undefined);
    // The rows are those of the start.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [at, client]);
  return {
    canNext: step(1) !== undefined,
    canPrevious: at > 0,
    position: at === -1 ? null : at + 1,
    go: async (by) => {
      const to = step(by);
      if (to === undefined) return false;
      await navigate(casePath(to.target, params.size === 0 ? '' : `?${params.toString()}`));
      return true;
    },
  };
}

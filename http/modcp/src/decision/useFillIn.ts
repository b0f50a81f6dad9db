import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Decision } from '../api/reports';
import { readDraft, writeDraft } from '../storage/drafts';
import { knownPolicies } from './usePolicies';
import { withWritten } from './verdictsOf';

/** Fills a decision into the draft of a form; what somebody wrote there stays. */
export function useFillIn(): (draft: string, decision: Decision, action: string | null) => void {
  const client = useQueryClient();
  return useCallback((draft, decision, action) => writeDraft(draft, { ...withWritten(decision, readDraft<Decision>(draft), knownPolicies(client)), action }), [client]);
}

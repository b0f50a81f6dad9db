import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { nextCase } from '../api/cases';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { countsQuery, readFilters } from '../board/filters';
import { changeCare, dayOf, nextReasons, offers, readCare } from '../care/care';
import { useI18n } from '../i18n/I18n';
import { useStep } from '../keyboard/ShortcutProvider';
import { useUser } from '../session/useSession';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { storeReport } from '../board/listCache';
import { casePath } from './caseLinks';
import { caseReportsQuery } from './readAhead';

/** The question that is out, whoever asked it. */
let asking: Promise<boolean> | null = null;

/** Claims the next case within the filters of the address, and opens it. Reports whether there was one. */
export function useNextCase(): () => Promise<boolean> {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  const toasts = useToasts();
  const errorText = useErrorText();
  const step = useStep();
  const self = useUser()?.id ?? '';
  const ask = useCallback(async () => {
    try {
      const filters = countsQuery(readFilters(new URLSearchParams(search)), Date.now());
      const today = dayOf(new Date());
      let report;
      // Somebody who has chosen a reason gets that.
      for (const reason of filters.reason === undefined ? nextReasons(readCare(self), today) : [undefined]) {
        report = await nextCase(reason === undefined ? filters : { ...filters, reason });
        if (report !== undefined) break;
      }
      if (offers(readCare(self), today)) {
        changeCare(self, { lighter: `-${today}` });
        toasts.show({ text: t('care.offer', { count: readCare(self).grave }), way: { text: t('care.take'), go: () => changeCare(self, { lighter: today }) } });
      }
      void client.invalidateQueries({ queryKey: keys.reports });
      void client.invalidateQueries({ queryKey: keys.cases });
      if (report === undefined) toasts.show({ text: t('cases.nothingNext') });
      else {
        // What was read ahead is from before the claim: a decision on that would be refused.
        const rows = await client.fetchInfiniteQuery({ ...caseReportsQuery(report.target), staleTime: 0 }).catch(() => undefined);
        const first = rows?.pages[0]?.edges[0];
        storeReport(client, report);
        if (first !== undefined && first.id !== report.id) void client.invalidateQueries({ queryKey: keys.report(first.id) });
        await navigate(casePath(report.target, search));
      }
      return report !== undefined;
    } catch (error) {
      toasts.show({ text: errorText(asApiError(error)), tone: 'error' });
      return false;
    }
  }, [client, errorText, navigate, search, self, t, toasts]);
  return useCallback(() => (asking ??= step(ask).finally(() => (asking = null))), [ask, step]);
}

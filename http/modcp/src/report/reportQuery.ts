import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { readReport } from '../api/reports';
import { storeInLists } from '../board/listCache';

/** Reads a report, also into the lists that show it. */
export const reportQuery = (client: QueryClient, id: string) =>
  queryOptions({
    queryKey: keys.report(id),
    queryFn: async ({ signal }) => {
      const report = await readReport(id, signal);
      storeInLists(client, report);
      return report;
    },
  });

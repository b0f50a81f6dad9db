import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { readFilters } from '../board/filters';
import { SplitView } from './SplitView';
import { useWalk } from './useWalk';
import { Workplace } from './Workplace';

/** A report, decided alone, among those of the board. */
export function ReportPage() {
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const filters = useMemo(() => readFilters(params), [params]);
  const walk = useWalk(id, filters);
  return (
    <SplitView walk={walk}>
      <Workplace id={id} together={null} walk={walk} list={{ pathname: '/modcp/reports', search: params.toString() }} />
    </SplitView>
  );
}

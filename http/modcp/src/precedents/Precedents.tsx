import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../api/queryKeys';
import { readPrecedents, type Precedents as Found } from '../api/similar';
import { useI18n } from '../i18n/I18n';
import { reportQuery } from '../report/reportQuery';
import { ResolutionTag } from '../ui/Tag';
import classes from './Precedents.module.css';

/** What a rule led to where content was like that of the report; undefined until it is known and where there is nothing. */
function usePrecedents(reportId: string, policy: string): Found | undefined {
  const { data } = useQuery({ queryKey: keys.precedents(reportId, policy), queryFn: ({ signal }) => readPrecedents(reportId, policy, signal), staleTime: 60_000 });
  return data === undefined || data.similar === 0 ? undefined : data;
}

function useSentence() {
  const { t } = useI18n();
  return ({ similar, byResolution, overturned }: Found) => t('precedents.count', { similar, upheld: byResolution.action_taken ?? 0, overturned });
}

/** The precedents of a rule as one sentence. */
export function PrecedentCount({ reportId, policy }: { reportId: string; policy: string }) {
  const sentence = useSentence();
  const found = usePrecedents(reportId, policy);
  return found === undefined ? null : <span className={classes.count}>{sentence(found)}</span>;
}

/** The precedents of a rule, with examples to open. */
export function Precedents({ reportId, policy }: { reportId: string; policy: string }) {
  const { t } = useI18n();
  const sentence = useSentence();
  const found = usePrecedents(reportId, policy);
  const [open, setOpen] = useState(false);
  if (found === undefined) return null;
  return (
    <div>
      <span className={classes.count}>{sentence(found)}</span>{' '}
      <Button size="compact-xs" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('precedents.examples')}
      </Button>
      {open && (
        <ul className={classes.examples}>
          {found.examples.map((id) => (
            <Example key={id} id={id} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Example({ id }: { id: string }) {
  const { t } = useI18n();
  const report = useQuery(reportQuery(useQueryClient(), id)).data;
  return (
    <li>
      <a href={`/modcp/reports/${id}`} target="_blank" rel="noreferrer" dir="auto">
        {report?.snapshot?.title || t('board.untitled')}
      </a>{' '}
      {report?.resolution != null && <ResolutionTag resolution={report.resolution} />}
    </li>
  );
}

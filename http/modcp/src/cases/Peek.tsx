import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { EvidencePanel } from '../report/evidence/EvidencePanel';
import { reportQuery } from '../report/reportQuery';
import { Dialog } from '../ui/Dialog';
import { Failure, Loading } from '../ui/States';
import { firstReport } from './readAhead';

export interface Peeked {
  target: { pluginId: string; type: string; id: string };
  link: string;
}

/** What a case is about, without leaving the list or taking anything. */
export function Peek({ of: { target, link }, close }: { of: Peeked; close: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const report = useQuery({ queryKey: keys.casePeek(target), queryFn: async () => {
    const first = await firstReport(client, target);
    return first === undefined ? null : client.fetchQuery(reportQuery(client, first.id));
  } });
  return (
    <Dialog close={close} title={t('cases.peek')} size="lg">
      {report.isPending ? <Loading rows={6} /> : report.data == null ? <Failure error={report.error} /> : <EvidencePanel report={report.data} />}
      <Group justify="flex-end" mt="sm">
        <Button component={Link} to={link} data-autofocus>
          {t('cases.openCase')}
        </Button>
      </Group>
    </Dialog>
  );
}

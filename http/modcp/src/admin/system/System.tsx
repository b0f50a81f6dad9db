import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { asApiError } from '../../api/http';
import { sendTestMail, systemQuery, type SystemCheck, type SystemUpkeep } from '../../api/system';
import { humanise } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import { Tag, type Tone } from '../../ui/Tag';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import classes from '../shared/Admin.module.css';
import { DataTable } from '../../ui/DataTable';

const tones: Record<SystemCheck['level'], Tone> = { fault: 'red', warning: 'amber', ok: 'green', off: 'neutral' };

/** What works, what does not, and what to do about it: docket doctor on this server. */
export function System() {
  const { t } = useI18n();
  useTitle(t('admin.system'));
  const system = useQuery(systemQuery);
  return (
    <>
      <PageHead title={t('admin.system')} hint={t('system.hint')}>
        {system.data?.checks.some((check) => check.name === 'mail' && check.level !== 'off') === true && <TestMail />}
        <Button variant="default" leftSection={<Icon name="refresh" size={15} />} loading={system.isFetching} onClick={() => void system.refetch()}>
          {t('system.again')}
        </Button>
      </PageHead>
      {system.isPending ? (
        <Loading />
      ) : system.data === undefined ? (
        <Failure error={system.error} retry={() => void system.refetch()} />
      ) : (
        <>
          <Upkeep version={system.data.version} upkeep={system.data.upkeep} />
          <Checks checks={system.data.checks} />
        </>
      )}
    </>
  );
}

function TestMail() {
  const { t, locale } = useI18n();
  const toasts = useToasts();
  const errorText = useErrorText();
  const send = useMutation({
    mutationFn: () => sendTestMail(locale.id),
    onSuccess: ({ email }) => toasts.show({ text: t('system.mailSent', { email }) }),
    // What the mail server said is told as it is.
    onError: (error) => toasts.show({ text: asApiError(error).code === 'action_failed' ? asApiError(error).message : errorText(error), tone: 'error' }),
  });
  return (
    <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      {t('system.mailTest')}
    </Button>
  );
}

function Upkeep({ version, upkeep: { backup, checkpoint, verification } }: { version: string; upkeep: SystemUpkeep }) {
  const { t } = useI18n();
  const never = t('admin.never');
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('system.version')}</dt>
        <dd>
          <bdi>{version}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('system.backup')}</dt>
        <dd data-bad={backup === null || undefined}>{backup === null ? never : <When iso={backup.at} />}</dd>
        {backup !== null && <dd>{t('system.backupHolds', { reports: backup.detail.reports })}</dd>}
      </div>
      <div>
        <dt>{t('system.checkpoint')}</dt>
        <dd>{checkpoint === null ? never : <When iso={checkpoint.at} />}</dd>
        {checkpoint !== null && <dd>{t('system.events', { events: checkpoint.detail.events })}</dd>}
      </div>
      <div>
        <dt>{t('system.verification')}</dt>
        <dd data-bad={(verification?.detail.findings ?? 0) > 0 || undefined}>{verification === null ? never : <When iso={verification.at} />}</dd>
        {verification !== null && <dd>{t('system.findings', { findings: verification.detail.findings })}</dd>}
      </div>
    </dl>
  );
}

function Checks({ checks }: { checks: SystemCheck[] }) {
  const { t, known } = useI18n();
  const nameOf = (check: SystemCheck) => known(`system.check.${check.name}`) ?? humanise(check.name);
  return (
    <DataTable
      label={t('admin.system')}
      rows={checks}
      rowKey={(check) => `${check.name} ${check.code ?? ''} ${check.detail}`}
      columns={[
        { key: 'check', title: t('system.check'), cell: (check) => <span className={`${classes.name} ${classes.whole}`}>{nameOf(check)}</span> },
        {
          key: 'level',
          title: t('system.level'),
          cell: (check) => (
            <span className={classes.whole}>
              <Tag tone={tones[check.level]} dot>
                {t(`system.level.${check.level}`)}
              </Tag>
            </span>
          ),
        },
        {
          key: 'detail',
          title: t('system.detail'),
          // Both name variables and commands, so they come in English.
          cell: (check) => (
            <div lang="en" dir="ltr" className={classes.whole}>
              <div>{check.detail}</div>
              {check.advice !== null && <div className={classes.muted}>{check.advice}</div>}
            </div>
          ),
        },
      ]}
    />
  );
}

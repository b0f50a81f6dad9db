import { Button, Group } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Secret } from '../ui/Secret';
import classes from './Account.module.css';

/** Recovery codes, which are shown once. Only its button closes it. */
export function RecoveryCodes({ codes, close }: { codes: string[]; close: () => void }) {
  const { t } = useI18n();
  const text = codes.join('\n');
  return (
    <Dialog close={close} title={t('factors.recovery')} withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false}>
      <div className={classes.form}>
        <p role="status">{t('factors.recoveryOnce')}</p>
        <div className={classes.codes}>
          <Secret text={text} label={t('factors.recovery')} />
        </div>
        <Group gap="xs" justify="flex-end">
          <Button component="a" variant="default" href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`} download="docket-recovery-codes.txt">
            {t('factors.download')}
          </Button>
          <Button onClick={close} data-autofocus>
            {t('factors.kept')}
          </Button>
        </Group>
      </div>
    </Dialog>
  );
}

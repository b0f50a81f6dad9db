import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { translateReport } from '../api/reports';
import type { Report } from '../api/types';
import { formatLanguage } from '../i18n/format';
import { useI18n } from '../i18n/I18n';
import { shortcuts } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { Callout } from '../ui/Callout';
import { Icon } from '../ui/Icon';
import { useErrorText } from '../ui/useErrorText';
import classes from './Translation.module.css';

/** The reported content in the reader's language, below the original, once somebody asks for it. */
export function Translation({ report }: { report: Report }) {
  const { t, locale } = useI18n();
  const errorText = useErrorText();
  const { mutate, data, error, isPending, reset } = useMutation({ mutationFn: () => translateReport(report.id, locale.id) });
  const toggle = () => {
    if (data === undefined) mutate();
    else reset();
  };
  useShortcuts({ [shortcuts.evidence.translate.key]: toggle });
  return (
    <div className={classes.translation}>
      <Button size="compact-sm" variant="default" loading={isPending} leftSection={<Icon name="globe" size={14} />} aria-keyshortcuts={shortcuts.evidence.translate.key} onClick={toggle}>
        {t(data === undefined ? 'translation.show' : 'translation.hide')}
      </Button>
      {error !== null && (
        <Callout tone="amber" alert>
          {errorText(error)}
        </Callout>
      )}
      {data !== undefined && (
        <section className={classes.words} aria-label={t('translation.title')} lang={data.to} role="status">
          <p className={classes.from}>
            {data.from === null ? t('translation.title') : t('translation.from', { language: formatLanguage(data.from, locale.id) })}
          </p>
          {data.title !== '' && (
            <p className={classes.title} dir="auto">
              {data.title}
            </p>
          )}
          {data.fields.map((field) => (
            <p key={field.name} className={classes.text} dir="auto">
              {field.text}
            </p>
          ))}
          {data.cut && <p className={classes.from}>{t('translation.cut')}</p>}
        </section>
      )}
    </div>
  );
}

import { Select, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { locales } from '../i18n/locales';
import { Panel } from '../ui/Panel';
import classes from './Account.module.css';

/** Language and theme of this browser. */
export function Preferences() {
  const { t, locale, setLocale } = useI18n();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title={t('account.looks')} id="account-looks">
      <p className={`small ${classes.muted}`}>{t('account.looksHint')}</p>
      <div className={classes.form}>
        <Select
          label={t('pref.language')}
          value={locale.id}
          onChange={(id) => id !== null && setLocale(id)}
          data={locales.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Select
          label={t('pref.theme')}
          value={colorScheme}
          onChange={(scheme) => scheme !== null && setColorScheme(scheme as MantineColorScheme)}
          data={[
            { value: 'light', label: t('pref.light') },
            { value: 'dark', label: t('pref.dark') },
            { value: 'auto', label: t('pref.system') },
          ]}
        />
      </div>
    </Panel>
  );
}

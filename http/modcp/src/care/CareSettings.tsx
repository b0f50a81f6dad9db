import { NumberInput, Switch } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import classes from '../account/Account.module.css';
import { useI18n } from '../i18n/I18n';
import { Panel } from '../ui/Panel';
import { dayOf, useCare } from './care';

/** How somebody spares themselves. */
export function CareSettings() {
  const { t } = useI18n();
  const [care, changeCare] = useCare();
  const today = dayOf(new Date());
  return (
    <Panel title={t('care.title')} id="account-care">
      <p className={`small ${classes.muted}`}>{t('care.hint')}</p>
      <div className={classes.form}>
        <Switch label={t('care.pictures')} description={t('care.picturesHint')} checked={care.pictures} onChange={(event) => changeCare({ pictures: event.currentTarget.checked })} />
        <Switch label={t('care.grey')} checked={care.grey} onChange={(event) => changeCare({ grey: event.currentTarget.checked })} />
        <Switch label={t('care.words')} checked={care.words} onChange={(event) => changeCare({ words: event.currentTarget.checked })} />
        <NumberInput
          label={t('care.after')}
          description={t('care.afterHint')}
          min={0}
          max={999}
          allowDecimal={false}
          value={care.after}
          onChange={(after) => typeof after === 'number' && changeCare({ after })}
        />
        <Switch label={t('care.lighter')} checked={care.lighter === today} onChange={(event) => changeCare({ lighter: event.currentTarget.checked ? today : `-${today}` })} />
      </div>
    </Panel>
  );
}

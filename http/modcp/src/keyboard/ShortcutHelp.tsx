import { Switch } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import classes from './ShortcutHelp.module.css';
import { useShortcutSetting } from './ShortcutProvider';
import { keyLabel, shortcuts, type Shortcut, type ShortcutGroup } from './shortcuts';

const groups = ['board', 'cases', 'case', 'report', 'verdict', 'aside', 'evidence', 'appeals', 'appeal', 'everywhere'] as const satisfies ShortcutGroup[];

export function ShortcutHelp({ opened, close }: { opened: boolean; close: () => void }) {
  const { t } = useI18n();
  const { enabled, setEnabled } = useShortcutSetting();
  return (
    <Dialog opened={opened} close={close} title={t('help.title')} size={960}>
      <p className={classes.hint}>{t('help.hint')}</p>
      <div className={classes.groups}>
        {groups.map((group) => (
          <section key={group}>
            <h3 className={classes.title}>{t(`help.${group}`)}</h3>
            <dl className={classes.list}>
              {Object.values<Shortcut>(shortcuts[group]).map(({ key, to, text }) => (
                <div key={key} className={classes.row}>
                  <dt>
                    <kbd className={classes.key}>{keyLabel(key, to)}</kbd>
                  </dt>
                  <dd>{t(text)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch mt="md" label={t('help.enabled')} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
    </Dialog>
  );
}

import { Switch } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import classes from './ShortcutHelp.module.css';
import { useShortcutSetting } from './ShortcutProvider';
import { keyLabel, shortcuts, type Shortcut, type ShortcutGroup } from './shortcuts';

/** The groups that stand under one heading. */
const headings = { board: ['board'], cases: ['cases'], report: ['verdict', 'report', 'evidence', 'aside', 'walk'], appeals: ['appeals'], appeal: ['appeal'], measures: ['measures'], everywhere: ['everywhere', 'split'] } as const satisfies Record<string, readonly ShortcutGroup[]>;

export function ShortcutHelp({ opened, close }: { opened: boolean; close: () => void }) {
  const { t } = useI18n();
  const { enabled, setEnabled } = useShortcutSetting();
  return (
    <Dialog opened={opened} close={close} title={t('help.title')} size={960}>
      <p className={classes.hint}>{t('help.hint')}</p>
      <div className={classes.groups}>
        {(Object.keys(headings) as (keyof typeof headings)[]).map((heading) => (
          <section key={heading}>
            <h3 className={classes.title}>{t(`help.${heading}`)}</h3>
            <dl className={classes.list}>
              {headings[heading].flatMap((group) => Object.values<Shortcut>(shortcuts[group])).map(({ key, to, text }) => (
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

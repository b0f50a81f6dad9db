import { Modal, Switch } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import type { MessageKey } from '../i18n/locales';
import classes from './Help.module.css';
import { useShortcutSetting } from './Shortcuts';

const groups: readonly (readonly [MessageKey, readonly (readonly [string, MessageKey])[]])[] = [
  [
    'help.board',
    [
      ['j', 'key.next'],
      ['k', 'key.previous'],
      ['Enter', 'key.open'],
      ['x', 'key.select'],
      ['c', 'key.claim'],
      ['a', 'key.assign'],
      ['r', 'move.resolve'],
      ['/', 'key.search'],
    ],
  ],
  [
    'help.report',
    [
      ['c', 'key.claim'],
      ['a', 'key.assign'],
      ['n', 'key.note'],
      ['r', 'key.resolve'],
      ['h', 'key.hide'],
      ['j', 'key.next'],
      ['k', 'key.previous'],
      ['b', 'key.board'],
    ],
  ],
  [
    'help.everywhere',
    [
      ['u', 'key.undo'],
      ['Ctrl K', 'key.palette'],
      ['?', 'key.help'],
    ],
  ],
];

export function Help({ opened, close }: { opened: boolean; close: () => void }) {
  const { t } = useI18n();
  const { enabled, setEnabled } = useShortcutSetting();
  return (
    <Modal opened={opened} onClose={close} title={t('help.title')} size="lg" closeButtonProps={{ 'aria-label': t('action.close') }}>
      <p className={classes.hint}>{t('help.hint')}</p>
      <div className={classes.groups}>
        {groups.map(([title, entries]) => (
          <section key={title}>
            <h3 className={classes.title}>{t(title)}</h3>
            <dl className={classes.list}>
              {entries.map(([key, what]) => (
                <div key={key} className={classes.row}>
                  <dt>
                    <kbd className={classes.key}>{key}</kbd>
                  </dt>
                  <dd>{t(what)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch mt="md" label={t('help.enabled')} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
    </Modal>
  );
}

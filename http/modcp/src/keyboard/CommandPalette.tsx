import { TextInput } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { useAllCommands, type Command } from './CommandProvider';
import classes from './CommandPalette.module.css';
import { reportIdIn } from './reportIdIn';

/** Runs a command by part of its name; a pasted link or id opens its report. */
export function CommandPalette({ opened, close }: { opened: boolean; close: () => void }) {
  const { t } = useI18n();
  return (
    <Dialog opened={opened} close={close} title={t('palette.title')} withCloseButton={false} yOffset="12vh" centered={false} padding={0} size={560} classNames={{ header: 'visually-hidden' }}>
      {opened && <PaletteBody close={close} />}
    </Dialog>
  );
}

function PaletteBody({ close }: { close: () => void }) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const all = useAllCommands();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [commands] = useState(all);

  const shown = useMemo(() => {
    const words = text.trim().toLocaleLowerCase().split(/\s+/u).filter(Boolean);
    const fitting: Command[] = commands.filter((command) => words.every((word) => command.title.toLocaleLowerCase().includes(word)));
    const id = reportIdIn(text);
    if (id !== null) {
      return [{ id: 'open-report', title: t('palette.openReport', { id }), run: () => void navigate(`/modcp/reports/${id}`) }, ...fitting];
    }
    if (words.length > 0) {
      fitting.push({
        id: 'search',
        title: t('palette.searchFor', { text: text.trim() }),
        run: () => void navigate(`/modcp/reports?status=all&search=${encodeURIComponent(text.trim())}`),
      });
    }
    return fitting;
  }, [commands, navigate, t, text]);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    command.run();
  };

  return (
    <div
      role="presentation"
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
          event.preventDefault();
          const step = event.key === 'ArrowDown' ? 1 : -1;
          setActive((index) => (shown.length === 0 ? 0 : (index + step + shown.length) % shown.length));
        }
        if (event.key === 'Enter') {
          event.preventDefault();
          run(shown[active]);
        }
      }}
    >
      <TextInput
        data-autofocus
        variant="unstyled"
        size="md"
        className={classes.input}
        leftSection={<Icon name="search" />}
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown[active] === undefined ? undefined : `${listId}-${active}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
      />
      <ul id={listId} role="listbox" aria-label={t('palette.title')} className={classes.list}>
        {shown.map((command, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field above handles the keys
          <li
            key={command.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            className={classes.option}
            onMouseMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <span>{command.title}</span>
            {command.hint !== undefined && <kbd className={classes.hint}>{command.hint}</kbd>}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={classes.empty}>{t('palette.empty')}</p>}
    </div>
  );
}

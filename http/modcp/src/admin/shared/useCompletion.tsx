import { useId, useState, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useI18n } from '../../i18n/I18n';
import classes from './CodeEditor.module.css';

/** What a text can go on with: it replaces what stands from a place up to the caret. */
export interface Completion {
  from: number;
  text: string;
  detail: string;
}

export type Complete = (before: string) => Completion[];

/** Offers under the caret of a text what it can go on with. Enter takes one, Escape closes the list, Ctrl+Space opens it. */
export function useCompletion(text: RefObject<HTMLTextAreaElement | null>, change: (text: string) => void, complete: Complete | undefined) {
  const { t } = useI18n();
  const id = useId();
  const [open, setOpen] = useState<{ options: Completion[]; chosen: number; left: number; top: number } | null>(null);
  if (complete === undefined) return { props: {}, list: null, changed: () => {} };
  const optionId = (index: number) => `${id}-${index}`;
  const close = () => setOpen(null);
  const changed = () => {
    const area = text.current;
    if (area === null || area.selectionStart !== area.selectionEnd) return close();
    const before = area.value.slice(0, area.selectionStart);
    const options = complete(before).slice(0, 50);
    if (options.length === 0) return close();
    const lines = before.split('\n');
    const { fontSize } = getComputedStyle(area);
    // A sign of a monospaced font is about 0.6 of its size wide; the list needs to be near, not exact.
    const left = area.offsetLeft + 10 + lines.at(-1)!.length * 0.6 * parseFloat(fontSize) - area.scrollLeft;
    setOpen({ options, chosen: 0, left, top: area.offsetTop + 12 + lines.length * 20 - area.scrollTop });
  };
  const take = ({ from, text: inserted }: Completion) => {
    const area = text.current!;
    const value = area.value;
    const end = area.selectionStart;
    flushSync(() => {
      change(value.slice(0, from) + inserted + value.slice(end));
      close();
    });
    area.focus();
    // Where an argument is to be written.
    const hole = /^(?:[^(]*\("|[^(]*\(\w+, |[^(]*\()(?=.)/.exec(inserted)?.[0].length;
    const caret = from + (hole === undefined || inserted === 'size()' ? inserted.length : hole);
    area.setSelectionRange(caret, caret);
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      changed();
      return;
    }
    if (open === null) return;
    const { options, chosen } = open;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setOpen({ ...open, chosen: (chosen + step + options.length) % options.length });
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) take(options[chosen]!);
    else if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else {
      if (['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Tab'].includes(event.key)) close();
      return;
    }
    event.preventDefault();
  };
  return {
    changed,
    props: {
      'aria-autocomplete': 'list' as const,
      'aria-haspopup': 'listbox' as const,
      'aria-controls': open === null ? undefined : id,
      'aria-activedescendant': open === null ? undefined : optionId(open.chosen),
      onKeyDown: keyDown,
      onBlur: close,
      onClick: close,
    },
    list: (
      <>
        {open !== null && (
          <ul id={id} role="listbox" aria-label={t('code.completions')} className={classes.completions} style={{ insetBlockStart: open.top, left: `max(0px, min(${open.left}px, 100% - 240px))` }}>
            {open.options.map((option, index) => (
              <li
                key={option.text}
                id={optionId(index)}
                role="option"
                aria-selected={index === open.chosen}
                ref={index === open.chosen ? (item) => item?.scrollIntoView({ block: 'nearest' }) : undefined}
                onMouseDown={(event) => {
                  event.preventDefault(); // or the text would lose its focus
                  take(option);
                }}
              >
                {option.text} <span>{option.detail}</span>
              </li>
            ))}
          </ul>
        )}
        <span className="visually-hidden" role="status">
          {open !== null && t('code.completionsFound', { count: open.options.length })}
        </span>
      </>
    ),
  };
}

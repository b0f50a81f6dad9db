import { Button, Stack } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { digitOf } from '../keyboard/pressedKey';
import classes from './Choices.module.css';
import { Dialog } from './Dialog';

export interface Choice {
  text: string;
  aside?: string;
  run: () => void;
}

/** A dialog of a few choices, each under its number. */
export function Choices({ title, hint, choices, close, children }: { title: string; hint: string; choices: Choice[]; close: () => void; children?: ReactNode }) {
  const latest = useRef(choices);
  useEffect(() => {
    latest.current = choices;
  });
  // Not only inside: the number may come before the focus does.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof HTMLElement && event.target.matches('input'))) return;
      const choice = latest.current[Number(digitOf(event) || event.key) - 1];
      if (choice === undefined) return;
      event.preventDefault();
      choice.run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <Dialog close={close} title={title} size={460}>
      <p className={classes.hint}>{hint}</p>
      <Stack gap={6}>
        {choices.map(({ text, aside, run }, index) => (
          <Button key={text} variant="default" justify="flex-start" classNames={{ root: classes.choice, label: classes.text }} data-autofocus={index === 0 || undefined} leftSection={<kbd className={classes.key}>{index + 1}</kbd>} onClick={run}>
            {text}
            {aside !== undefined && <span className={classes.when}>{aside}</span>}
          </Button>
        ))}
        {children}
      </Stack>
    </Dialog>
  );
}

import type { ReactNode } from 'react';
import { Logo } from '../ui/Logo';
import { useTitle } from '../ui/useTitle';
import classes from './EntryPage.module.css';

/** The frame of the pages for people without a session. */
export function EntryPage({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo />
        <h1 className={classes.title}>{title}</h1>
        {hint !== undefined && <p className={classes.hint}>{hint}</p>}
        {children}
      </div>
    </main>
  );
}

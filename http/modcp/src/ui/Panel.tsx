import type { ReactNode } from 'react';
import classes from './Panel.module.css';

/** A card with an optional heading and controls beside it. */
export function Panel({
  title, aside, children, flush = false, level = 2, id,
}: { title?: ReactNode; aside?: ReactNode; children: ReactNode; flush?: boolean; level?: 2 | 3; id?: string }) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section className={classes.panel} aria-labelledby={title !== undefined && id !== undefined ? id : undefined}>
      {title !== undefined && (
        <header className={classes.head}>
          <Heading id={id} className={classes.title}>
            {title}
          </Heading>
          {aside}
        </header>
      )}
      <div className={flush ? undefined : classes.body}>{children}</div>
    </section>
  );
}

export function PageHead({ title, hint, children }: { title: ReactNode; hint?: ReactNode; children?: ReactNode }) {
  return (
    <header className={classes.page}>
      <div>
        <h1 className={classes.h1}>{title}</h1>
        {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      </div>
      {children !== undefined && <div className={classes.tools}>{children}</div>}
    </header>
  );
}

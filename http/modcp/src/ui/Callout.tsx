import type { ReactNode } from 'react';
import classes from './Callout.module.css';
import { Icon } from './Icon';

/** A highlighted message; an alert is also announced to screen readers when it appears. */
export function Callout({ tone, title, alert = false, children }: { tone: 'red' | 'amber' | 'blue'; title?: string; alert?: boolean; children: ReactNode }) {
  return (
    <div className={classes.callout} data-tone={tone} role={alert ? 'alert' : undefined}>
      <Icon name={tone === 'blue' ? 'info' : 'warning'} />
      <div className={classes.body}>
        {title !== undefined && <strong className={classes.title}>{title}</strong>}
        <div className={classes.text}>{children}</div>
      </div>
    </div>
  );
}

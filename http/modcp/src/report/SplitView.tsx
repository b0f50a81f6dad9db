import { useEffect, useRef, type ReactNode } from 'react';
import { Link, type To } from 'react-router';
import type { Reason } from '../api/types';
import { isWide } from '../board/useSplitFromList';
import { useI18n } from '../i18n/I18n';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { useSetting, writeSetting } from '../storage/settings';
import { ReasonTag } from '../ui/Tag';
import { When } from '../ui/When';
import classes from './SplitView.module.css';

/** A row of the list that is walked through. */
export interface WalkRow {
  key: string;
  to: To;
  text: string;
  about: string;
  reasons: readonly Reason[];
  at: string;
}

/** On a wide screen, the list that is walked through beside what is open, once it was asked for in this browser. */
export function SplitView({ walk: { rows, position }, children }: { walk: { rows: readonly WalkRow[]; position: number | null }; children: ReactNode }) {
  const { t } = useI18n();
  const on = useSetting('split') === 'on';
  useShortcuts(bind('split', { toggle: () => isWide() && writeSetting('split', on ? 'off' : 'on') }));
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' });
  }, [on, position]);
  return (
    <div className={classes.split} data-on={on || undefined}>
      {on && (
        <nav className={classes.list} aria-label={t('split.list')}>
          {rows.map((row, index) => (
            <Link key={row.key} ref={index + 1 === position ? current : null} to={row.to} className={classes.row} aria-current={index + 1 === position ? 'page' : undefined}>
              <span className={classes.text} dir="auto">
                {row.text}
              </span>
              <span className={classes.about} dir="auto">
                {row.about}
              </span>
              <span className={classes.tags}>
                {row.reasons.map((reason) => (
                  <ReasonTag key={reason} reason={reason} />
                ))}
                <When iso={row.at} short />
              </span>
            </Link>
          ))}
        </nav>
      )}
      <div className={classes.open}>{children}</div>
    </div>
  );
}

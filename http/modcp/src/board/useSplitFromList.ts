import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { writeSetting } from '../storage/settings';

/** Reports whether a list fits beside what is open. */
export const isWide = () => window.matchMedia('(min-width: 1500px)').matches;

/** Binds the key that opens the row with the focus, or the first, beside its list. */
export function useSplitFromList(): void {
  useShortcuts(
    bind('split', {
      toggle: () => {
        const row = document.activeElement?.closest('[data-row]') ?? document.querySelector('[data-row]');
        if (row === null || !isWide()) return;
        writeSetting('split', 'on');
        row.querySelector<HTMLAnchorElement>('a[data-case], a[data-report]')?.click();
      },
    }),
  );
}

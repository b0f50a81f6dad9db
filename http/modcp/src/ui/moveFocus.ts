/** Moves the focus to the next or former link of a list that a selector finds; to its first or last if it is elsewhere. */
export function moveFocus(selector: string, step: 1 | -1, current: Element | null = document.activeElement): void {
  const all = [...document.querySelectorAll<HTMLAnchorElement>(selector)];
  const at = all.findIndex((link) => link === current);
  const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step));
  all[next]?.focus();
  all[next]?.scrollIntoView({ block: 'nearest' });
}

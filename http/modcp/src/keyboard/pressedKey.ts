/** The name of a key press: the character itself, `mod+` before it with Ctrl or Cmd, `shift+` before a letter with Shift. */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'code'>): string {
  if (event.altKey) return '';
  // On a keyboard without Latin letters, the position of the key counts.
  const letter = /^Key([A-Z])$/.exec(event.code ?? '');
  const isLatin = /^[\u0000-\u024f]$/.test(event.key);
  const name = letter !== null && !isLatin && event.key.length === 1 ? letter[1]!.toLowerCase() : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) return `mod+${name}`;
  return event.shiftKey && /^[a-z]$/.test(name) ? `shift+${name}` : name;
}

/** The digit that a key of the upper row stands for wherever it prints another sign, with `shift+` before it; '' for other keys. */
export function digitOf(event: Pick<KeyboardEvent, 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const digit = event.ctrlKey || event.metaKey || event.altKey ? null : /^Digit([1-9])$/.exec(event.code ?? '');
  return digit === null ? '' : `${event.shiftKey ? 'shift+' : ''}${digit[1]!}`;
}

/** Reports whether the focused element takes single keys itself: a field, a form, a dialog or a menu. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('[contenteditable="true"]') !== null) return true;
  if (target instanceof HTMLInputElement && target.form === null) return !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target.closest('form, [role="dialog"], [role="menu"], [role="listbox"]') !== null;
}

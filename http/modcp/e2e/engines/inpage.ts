import { computeAccessibleName, getRole, isInaccessible } from 'dom-accessibility-api';

/** Built into one script and given to the page, where it finds things as people name them. */

/** What is looked for: by role and name, by text, or by a selector; in `within`, the one at `nth`. */
export interface Target {
  role?: string;
  /** A string is the whole name; a pattern comes as the source of a regular expression. */
  name?: string | { pattern: string };
  text?: string | { pattern: string };
  css?: string;
  within?: Target;
  nth?: number;
}

/** Without the mark by which the announcer tells a text from the same one before. */
const plain = (text: string) => text.replaceAll('\u200b', '').replace(/\s+/g, ' ').trim();
const matches = (text: string, wanted: string | { pattern: string }) => (typeof wanted === 'string' ? plain(text) === wanted : new RegExp(wanted.pattern).test(plain(text)));

function visible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden';
}

/** What a selector finds, in shadow trees too. */
function select(selector: string, root: ParentNode): Element[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.matches(selector) ? [element] : []),
    ...(element.shadowRoot === null ? [] : select(selector, element.shadowRoot)),
  ]);
}

/** The element that a tree's question gives, in the innermost shadow tree. */
function innermost(ask: (tree: DocumentOrShadowRoot) => Element | null): Element | null {
  let found = ask(document);
  for (let inner = found; inner?.shadowRoot; found = inner ?? found) inner = ask(inner.shadowRoot);
  return found;
}

const focusedElement = () => innermost((tree) => tree.activeElement);

function candidates(target: Target, root: ParentNode): Element[] {
  let found = select(target.css ?? '*', root);
  if (target.role !== undefined) found = found.filter((element) => getRole(element) === target.role && !isInaccessible(element));
  if (target.name !== undefined) found = found.filter((element) => matches(computeAccessibleName(element), target.name!));
  if (target.text !== undefined) {
    found = found.filter((element) => matches(element.textContent ?? '', target.text!));
    // The innermost that says it, not all round it.
    if (target.css === undefined && target.role === undefined) found = found.filter((element) => !found.some((other) => other !== element && element.contains(other)));
  }
  return found.filter((element) => target.role !== undefined || target.css !== undefined || visible(element));
}

function all(target: Target): Element[] {
  const roots: ParentNode[] = target.within === undefined ? [document] : all(target.within);
  const found = roots.flatMap((root) => candidates(target, root));
  return target.nth === undefined ? found : found.slice(target.nth).slice(0, 1);
}

const frame = () => new Promise((resolve) => setTimeout(resolve, 40));

/** Whether an element is part of something on its way, such as a dialog that opens. What never ends, such as a spinner, does not count. */
const moves = (element: Element | null): boolean =>
  element !== null && (element.getAnimations().some(({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)) || moves(element.parentElement));

/** Where to click on the first that is found, or null while it is not there or moves. */
async function place(target: Target): Promise<[number, number] | null> {
  const [element] = all(target);
  if (element === undefined || (element as HTMLButtonElement).disabled) return null;
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  // A link that wraps has a box for each line, and nothing of it need be in their middle.
  const [before] = element.getClientRects();
  await frame();
  const [after] = element.getClientRects();
  if (before === undefined || after === undefined || moves(element)) return null;
  const { left, top, width, height } = after;
  if (Math.abs(left - before.left) > 1 || Math.abs(top - before.top) > 1 || width === 0 || height === 0) return null;
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = innermost((tree) => tree.elementFromPoint(x, y));
  const label = (element as HTMLInputElement).labels?.[0];
  if (hit === null || !(element.contains(hit) || hit.contains(element) || label?.contains(hit) === true)) throw new Error(`at ${x}, ${y} is ${hit?.outerHTML.slice(0, 200)}`);
  return [x, y];
}

/** Selects what a field holds, so that typing replaces it. */
function selectAll(): void {
  const field = focusedElement();
  if (isField(field)) field.select();
  else if (field !== null) getSelection()?.selectAllChildren(field);
}

const isField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

const texts = (target: Target) => all(target).map((element) => plain(isField(element) ? element.value : (element.textContent ?? '')));

const errors: string[] = [];
const report = console.error;
console.error = (...words: unknown[]) => {
  errors.push(words.map(String).join(' '));
  report(...words);
};
addEventListener('error', (event) => errors.push(event.message));
addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));

/** Errors since this script came, and requests that were refused since the page did. */
const faults = () => [
  ...errors,
  ...(performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ responseStatus }) => responseStatus >= 400).map(({ name, responseStatus }) => `${responseStatus} ${name}`),
];

Object.assign(window, { __page: { texts, place, selectAll, faults, focused: (target: Target) => all(target)[0] === focusedElement() } });

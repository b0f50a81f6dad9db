import type { Rolldown } from 'vite';
import type { Target } from './inpage';
import type { Tab } from './tab';

const patience = 30_000;
const again = 100;

type Words = string | RegExp;
const worded = (words: Words) => (typeof words === 'string' ? words : { pattern: words.source });

/** What a test looks for, as people name it; a string is the whole name or text. */
export const byRole = (role: string, name?: Words, within?: Target): Target => ({ role, ...(name === undefined ? {} : { name: worded(name) }), within });
export const button = (name: Words, within?: Target) => byRole('button', name, within);
export const link = (name?: Words, within?: Target) => byRole('link', name, within);
export const field = (name: Words, within?: Target) => byRole('textbox', name, within);
export const byText = (text: Words, within?: Target): Target => ({ text: worded(text), within });
export const css = (selector: string, text?: Words): Target => ({ css: selector, ...(text === undefined ? {} : { text: worded(text) }) });
export const nth = (target: Target, index: number): Target => ({ ...target, nth: index });

let bundled: Promise<string> | undefined;

/** The script that finds things in a page, as one expression. */
function inpage(): Promise<string> {
  bundled ??= (async () => {
    const { build } = await import('vite');
    const entry = new URL('./inpage.ts', import.meta.url).pathname;
    const output = await build({ configFile: false, logLevel: 'silent', build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'inpage' } } });
    const [built] = output as Rolldown.RolldownOutput[];
    return `(() => { ${built!.output[0].code}; return true; })()`;
  })();
  return bundled;
}

/** A page as a person uses it, in every engine alike. Everything waits until it can be done. */
export class Screen {
  readonly #tab: Tab;
  readonly #base: string;

  constructor(tab: Tab, base: string) {
    this.#tab = tab;
    this.#base = base;
  }

  /** A path of Docket, or the address of another site. */
  goto = (path: string) => this.#tab.goto(new URL(path, this.#base).href);
  resize = (width: number, height: number) => this.#tab.resize(width, height);
  back = () => this.#tab.back();
  reload = () => this.#tab.reload();
  press = (keys: string) => this.#tab.press(keys);
  type = (text: string) => this.#tab.type(text);
  close = () => this.#tab.close();

  /** The value of a JavaScript expression in the page. */
  evaluate = <T>(expression: string) => this.#tab.evaluate<T>(expression);

  path = () => this.evaluate<string>('location.pathname + location.search');

  async click(target: Target): Promise<void> {
    const [x, y] = await this.#until(`to click ${JSON.stringify(target)}`, async () => (await this.#ask<[number, number] | null>('place', target)) ?? undefined);
    await this.#tab.clickAt(x, y);
  }

  /** Clicks until something is there: what loads meanwhile may push the target from under the pointer, and a person clicks again. */
  async clickFor(target: Target, opened: Target): Promise<void> {
    await this.#until(`for what a click opens: ${JSON.stringify(opened)}`, async () => {
      await this.click(target);
      for (let look = 0; look < 10; look++) {
        if ((await this.texts(opened)).length > 0) return true;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return undefined;
    });
  }

  /** Replaces what a field holds. */
  async fill(target: Target, text: string): Promise<void> {
    // What loads meanwhile may push the field from under the pointer: a person clicks again.
    await this.#until(`for the focus of ${JSON.stringify(target)}`, async () => {
      await this.click(target);
      return (await this.#ask<boolean>('focused', target)) || undefined;
    });
    await this.#ask('selectAll', target);
    await this.type(text);
  }

  texts = (target: Target) => this.#ask<string[]>('texts', target);

  /** Waits until it is there. */
  async see(target: Target): Promise<void> {
    await this.#until(`to see ${JSON.stringify(target)}`, async () => (await this.texts(target)).length > 0 || undefined);
  }

  async gone(target: Target): Promise<void> {
    await this.#until(`until this is gone: ${JSON.stringify(target)}`, async () => (await this.texts(target)).length === 0 || undefined);
  }

  async focused(target: Target): Promise<void> {
    await this.#until(`for the focus of ${JSON.stringify(target)}`, async () => (await this.#ask<boolean>('focused', target)) || undefined);
  }

  /** Waits until a condition of the test's own holds. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    await this.#until(what, async () => (await holds()) || undefined);
  }

  /** What went wrong in the page, as far as its engine tells. */
  faults = async () => [...(await this.#tab.errors()), ...(await this.#ask<string[]>('faults'))];

  async #ask<T>(question: string, target?: Target): Promise<T> {
    const ask = `'__page' in window ? Promise.resolve(__page.${question}(${target === undefined ? '' : JSON.stringify(target)})).then((value) => ({ value })) : null`;
    let answer = await this.#tab.evaluate<{ value: T } | null>(ask);
    while (answer === null) {
      await this.#tab.evaluate(await inpage());
      answer = await this.#tab.evaluate<{ value: T } | null>(ask);
    }
    return answer.value;
  }

  async #until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
    const until = Date.now() + patience;
    let failure: unknown;
    while (Date.now() < until) {
      try {
        const value = await attempt();
        if (value !== undefined) return value;
        failure = undefined;
      } catch (error) {
        // The page may be on its way to another.
        failure = error;
      }
      await new Promise((resolve) => setTimeout(resolve, again));
    }
    const shown = await this.evaluate<string>('location.pathname + ": " + document.body.innerText.slice(0, 1500)').catch(String);
    throw new Error(`waited in vain ${what}${failure === undefined ? '' : ` (${String(failure)})`}\nThe page shows ${shown}`);
  }
}

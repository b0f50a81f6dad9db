/** A browser with cookies of its own, of whichever engine. */
export interface Browser {
  newTab: () => Promise<Tab>;
  close: () => Promise<void>;
}

/** What a tab of every engine can do; `screen.ts` builds on it what people do. */
export interface Tab {
  goto: (url: string) => Promise<void>;
  back: () => Promise<void>;
  reload: () => Promise<void>;
  /** Makes the page so wide and high, in CSS pixels. */
  resize: (width: number, height: number) => Promise<void>;
  /** The value of a JavaScript expression in the page, awaited. */
  evaluate: <T>(expression: string) => Promise<T>;
  clickAt: (x: number, y: number) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Presses a key, or keys held together: `Control+a`. */
  press: (keys: string) => Promise<void>;
  /** What the console says in red, since the tab is open. */
  errors: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** An engine that runs: starts browsers until it is stopped. */
export interface Engine {
  open: () => Promise<Browser>;
  stop: () => Promise<void>;
}

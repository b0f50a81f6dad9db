/// <reference types="vite/client" />

interface Window {
  /** Gives the keys that were pressed before the panel ran, once: see boot.js. */
  takeEarlyKeys?: () => KeyboardEvent[];
  /** Gives the answer that was asked for at a path before the panel ran, once: see boot.js. */
  takeEarlyAnswer?: (path: string) => Promise<Response> | undefined;
}

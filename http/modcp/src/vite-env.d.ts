/// <reference types="vite/client" />

interface Window {
  /** Gives the keys that were pressed before the panel ran, once: see boot.js. */
  takeEarlyKeys?: () => KeyboardEvent[];
}

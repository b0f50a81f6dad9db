/** Small settings kept in this browser; without storage they last as long as the page. */

export type Setting = 'scheme' | 'locale' | 'shortcuts' | 'advance' | 'advanceTo' | 'care' | 'moderates' | 'board' | 'notesRead' | 'firstSteps' | `may.${string}`;

export function readSetting(name: Setting): string | null {
  try {
    return localStorage.getItem(`docket.${name}`);
  } catch {
    return null;
  }
}

export function writeSetting(name: Setting, value: string): void {
  try {
    localStorage.setItem(`docket.${name}`, value);
  } catch {
    // Private windows may refuse storage.
  }
}

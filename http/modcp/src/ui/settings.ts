/** Small choices kept in this browser; a browser that refuses storage forgets them. */

export type Setting = 'scheme' | 'locale' | 'shortcuts' | 'advance' | 'images';

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
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

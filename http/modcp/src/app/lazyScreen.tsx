import { lazy, useState, type ComponentType } from 'react';
import { needWords } from '../i18n/language';
import type { Part } from '../i18n/locales';

/** A screen with code and words of its own that may be loaded ahead of being shown. */
export type Screen = ComponentType & { load: () => Promise<unknown> };

/**
 * Like React's lazy, but code that is already loaded shows at once: lazy would render
 * a placeholder first, and React keeps each one for 300 ms.
 */
export function lazyScreen(load: () => Promise<ComponentType>, words: Part = 'moderation'): Screen {
  let loaded: ComponentType | undefined;
  const remember = async () => {
    [loaded] = await Promise.all([load(), needWords(words)]);
    return { default: loaded };
  };
  const Later = lazy(remember);
  function Shown() {
    const [Content] = useState<ComponentType>(() => loaded ?? Later);
    return <Content />;
  }
  return Object.assign(Shown, { load: remember });
}

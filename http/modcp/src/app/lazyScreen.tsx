import { lazy, useState, type ComponentType } from 'react';

/** A screen with code of its own that may be loaded ahead of being shown. */
export type Screen = ComponentType & { load: () => Promise<unknown> };

/**
 * Like React's lazy, but code that is already loaded shows at once: lazy would render
 * a placeholder first, and React keeps each one for 300 ms.
 */
export function lazyScreen(load: () => Promise<ComponentType>): Screen {
  let loaded: ComponentType | undefined;
  const remember = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Later = lazy(remember);
  function Shown() {
    const [Content] = useState<ComponentType>(() => loaded ?? Later);
    return <Content />;
  }
  return Object.assign(Shown, { load: remember });
}

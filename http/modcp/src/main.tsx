import './ui/mantine.css';
import './ui/tokens.css';
import './ui/controls.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { preload } from './app/preload';
import { createQueryClient } from './app/queryClient';

const client = createQueryClient();
// Not awaited at the top of the module: screens import what is built into its file, and would wait for it while it
// waits for them.
void Promise.all([preload(client, location.pathname, location.search), styled()]).then(([language]) =>
  // A transition is rendered in slices, between which the browser hears its user.
  startTransition(() =>
    createRoot(document.getElementById('root')!).render(
      <StrictMode>
        <App client={client} language={language} />
      </StrictMode>,
    ),
  ),
);

/** Applies the styles, which a build loads without holding up what index.html shows by itself. */
function styled(): Promise<unknown> {
  const sheet = document.querySelector<HTMLLinkElement>('link#styles');
  if (sheet === null) return Promise.resolve();
  return new Promise((resolve) => {
    sheet.onload = resolve;
    sheet.onerror = resolve;
    sheet.rel = 'stylesheet';
  });
}

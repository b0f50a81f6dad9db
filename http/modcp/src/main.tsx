import './ui/mantine.css';
import './ui/tokens.css';
import './ui/controls.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { preload } from './app/preload';
import { createQueryClient } from './app/queryClient';

const client = createQueryClient();
const language = await preload(client, location.pathname, location.search);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App client={client} language={language} />
  </StrictMode>,
);

import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { BrowserRouter } from 'react-router';
import { I18nProvider } from '../i18n/I18n';
import { AnnouncerProvider } from '../ui/Announcer';
import { cssVariables, theme } from '../ui/theme';
import { ToastProvider } from '../ui/Toasts';
import { createQueryClient } from './queryClient';
import { PanelRoutes } from './routes';
import { schemeManager } from './schemeManager';

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={schemeManager} defaultColorScheme="auto">
        <QueryClientProvider client={client}>
          <I18nProvider>
            <AnnouncerProvider>
              <ToastProvider>
                <BrowserRouter>
                  <PanelRoutes />
                </BrowserRouter>
              </ToastProvider>
            </AnnouncerProvider>
          </I18nProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

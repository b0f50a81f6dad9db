import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router';
import { DecisionProvider } from '../decision/DecisionProvider';
import { I18nProvider } from '../i18n/I18n';
import type { Language } from '../i18n/language';
import { AnnouncerProvider } from '../ui/Announcer';
import { cssVariables, theme } from '../ui/theme';
import { ToastProvider } from '../ui/Toasts';
import { PanelRoutes } from './routes';
import { schemeManager } from './colorScheme';

export function App({ client, language }: { client: QueryClient; language: Language }) {
  return (
    <DirectionProvider initialDirection={language.locale.dir} detectDirection={false}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={schemeManager} defaultColorScheme="auto">
        <QueryClientProvider client={client}>
          <I18nProvider initial={language}>
            <AnnouncerProvider>
              <ToastProvider>
                <BrowserRouter>
                  <DecisionProvider>
                    <PanelRoutes />
                  </DecisionProvider>
                </BrowserRouter>
              </ToastProvider>
            </AnnouncerProvider>
          </I18nProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

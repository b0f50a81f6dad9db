import type { QueryClient } from '@tanstack/react-query';
import { prefetchBoard } from '../board/useBoardData';
import { messagesQuery, storedLanguage, type Language } from '../i18n/I18n';
import { Dashboard, ReportPage } from './screens';
import { sessionQuery } from './useSession';

/** Milliseconds that the first frame waits for what it will show. */
const patience = 1_000;

/**
 * Asks at once for what the address needs, before anything is rendered: React
 * would come to ask for one after the other. What fails here or takes its time is
 * left to the screens, which ask again and tell.
 */
export async function prepare(client: QueryClient, path: string, search: string): Promise<Language> {
  const asked: Promise<unknown>[] = [];
  if (/^\/(modcp|admin)(\/|$)/.test(path)) asked.push(client.prefetchQuery(sessionQuery));
  if (/^\/modcp(\/reports)?\/?$/.test(path)) asked.push(prefetchBoard(client, new URLSearchParams(search)));
  if (path.startsWith('/modcp/reports/')) asked.push(ReportPage.load());
  if (path.startsWith('/modcp/dashboard')) asked.push(Dashboard.load());
  const language = await storedLanguage();
  asked.push(client.prefetchQuery(messagesQuery(language.locale.id)));
  await Promise.race([Promise.allSettled(asked), new Promise((resolve) => setTimeout(resolve, patience))]);
  return language;
}

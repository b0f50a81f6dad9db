import type { QueryClient } from '@tanstack/react-query';
import { prefetchBoard } from '../board/boardQuery';
import { prefetchCases } from '../cases/casesQuery';
import { messagesQuery } from '../i18n/I18n';
import { storedLanguage, type Language } from '../i18n/language';
import { reportQuery } from '../report/reportQuery';
import { AdminLayout, Board, CasePage, Cases, Dashboard, ModShell, ReportPage, SignIn } from './lazyScreens';
import { permissionsQuery } from '../session/usePermission';
import { moderatedBefore, sessionQuery } from '../session/useSession';

/** Milliseconds that the first render waits for its data. */
const maxWait = 1_000;

/**
 * Requests what the address needs at once, before anything is rendered: components
 * would request one after the other. A screen retries what fails or is slow here, and
 * shows the error.
 */
export async function preload(client: QueryClient, path: string, search: string): Promise<Language> {
  const asked: Promise<unknown>[] = [];
  const chosen = storedLanguage();
  if (/^\/($|(modcp|admin|account|sign-in)(\/|$))/.test(path)) asked.push(client.prefetchQuery(sessionQuery));
  if (/^\/(modcp|admin|account)(\/|$)/.test(path)) asked.push(ModShell.load());
  // The menu has what the user may do.
  if (path.startsWith('/modcp')) asked.push(asModerator(client, () => client.prefetchQuery(permissionsQuery)));
  if (/^\/modcp\/reports\/?$/.test(path)) asked.push(Board.load(), asModerator(client, () => prefetchBoard(client, new URLSearchParams(search))));
  const reportId = /^\/modcp\/reports\/([0-9a-f-]+)\/?$/.exec(path)?.[1];
  if (reportId !== undefined) asked.push(ReportPage.load(), asModerator(client, () => client.prefetchQuery(reportQuery(client, reportId))));
  if (/^\/modcp(\/cases\/?)?\/?$/.test(path)) asked.push(Cases.load(), asModerator(client, () => prefetchCases(client, new URLSearchParams(search))));
  if (path.startsWith('/modcp/cases/')) asked.push(CasePage.load());
  if (path.startsWith('/modcp/dashboard')) asked.push(Dashboard.load());
  if (path.startsWith('/admin')) asked.push(AdminLayout.load());
  if (path.startsWith('/sign-in')) asked.push(SignIn.load());
  const language = await chosen;
  asked.push(client.prefetchQuery(messagesQuery(language.locale.id)));
  await Promise.race([Promise.allSettled(asked), new Promise((resolve) => setTimeout(resolve, maxWait))]);
  return language;
}

/** Guests are refused what moderators read, so unless this browser has moderated before, the session is read first. */
async function asModerator(client: QueryClient, read: () => Promise<unknown>): Promise<void> {
  if (moderatedBefore() || (await client.fetchQuery(sessionQuery)).user?.isModerator === true) await read();
}

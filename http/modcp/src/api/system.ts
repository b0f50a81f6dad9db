import { queryOptions } from '@tanstack/react-query';
import { core, get, post } from './http';
import { keys } from './queryKeys';
import type { Schemas } from './types';

export type SystemCheck = Schemas['SystemCheck'];
/** When each was last done; null means never. */
export type SystemUpkeep = Schemas['System']['upkeep'];

/** Refused to administrators without the permission for integrations. */
export const systemQuery = queryOptions({ queryKey: keys.system, queryFn: ({ signal }) => get<Schemas['System']>(`${core}/admin/system`, signal), staleTime: 10_000 });

/** Mails who asks, in the language. */
export const sendTestMail = (language: string) => post<{ email: string }>(`${core}/admin/system/mail`, undefined, language);

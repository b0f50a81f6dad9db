import { queryOptions } from '@tanstack/react-query';
import { core, get, post } from './http';
import { keys } from './queryKeys';

export interface SystemCheck {
  name: string;
  level: 'fault' | 'warning' | 'ok' | 'off';
  /** The kind of what is wrong. */
  code: string | null;
  detail: string;
  advice: string | null;
}

interface Done<Detail> {
  at: string;
  detail: Detail;
}

/** When each was last done; null means never. */
export interface SystemUpkeep {
  backup: Done<{ bytes: number; reports: number }> | null;
  checkpoint: Done<{ events: number }> | null;
  verification: Done<{ events: number; checkpoints: number; findings: number }> | null;
}

export interface SystemStatus {
  version: string;
  examinedAt: string;
  checks: SystemCheck[];
  upkeep: SystemUpkeep;
}

/** Refused to administrators without the permission for integrations. */
export const systemQuery = queryOptions({ queryKey: keys.system, queryFn: ({ signal }) => get<SystemStatus>(`${core}/admin/system`, signal), staleTime: 10_000 });

/** Mails who asks, in the language. */
export const sendTestMail = (language: string) => post<{ email: string }>(`${core}/admin/system/mail`, undefined, language);

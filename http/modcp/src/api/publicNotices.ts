import { core, post } from './http';

export interface PublicNotice {
  url: string;
  explanation: string;
  law?: string;
  name?: string;
  email?: string;
  category?: 'child_safety';
  policy?: string;
  goodFaith: boolean;
}

/** Answered alike whatever is at the address. */
export const sendNotice = (notice: PublicNotice, language: string) => post<unknown>(`${core}/notices`, notice, language);

export const confirmNotice = (token: string) => post<{ filed: boolean }>(`${core}/notices/confirm`, { token });

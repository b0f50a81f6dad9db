import { core, post } from './http';
import type { Body } from './types';

export type PublicNotice = Body<'sendNotice'>;

/** Answered alike whatever is at the address. */
export const sendNotice = (notice: PublicNotice, language: string) => post<unknown>(`${core}/notices`, notice, language);

export const confirmNotice = (token: string) => post<{ filed: boolean }>(`${core}/notices/confirm`, { token });

import { useMemo } from 'react';
import type { Reason } from '../api/types';
import { useUser } from '../session/useSession';
import { readSetting, useSetting, writeSetting } from '../storage/settings';

/** How somebody spares themselves. It is kept by account in this browser, and nobody else sees it. */
export interface Care {
  /** Pictures are loaded, blurred, with the report; else only on request. */
  pictures: boolean;
  /** Pictures have no colour until they are shown clearly. */
  grey: boolean;
  /** The words of grave reports are blurred until they are asked for. */
  words: boolean;
  /** Lighter cases are offered after so many grave decisions on a day; 0 means never. */
  after: number;
  /** The day on which lighter cases were chosen, or declined with a minus before it. */
  lighter: string;
  /** Grave decisions of a day. */
  day: string;
  grave: number;
}

const unset: Care = { pictures: false, grey: true, words: false, after: 25, lighter: '', day: '', grave: 0 };

/** A day of the person's own clock. */
export const dayOf = (now: Date): string => `${now.getFullYear()}-${now.getMonth() + 1}-${now.getDate()}`;

/** The reasons whose content may burden the one who reads it. */
export const isGrave = (reason: Reason): boolean => reason === 'abusive';

/** What a grave decision makes of it. */
export const counted = (care: Care, today: string): Care => ({ ...care, day: today, grave: care.day === today ? care.grave + 1 : 1 });

/** Reports whether lighter cases should be offered now: after enough grave ones, once a day. */
export const offers = (care: Care, today: string): boolean => care.after > 0 && care.day === today && care.grave >= care.after && care.lighter !== today && care.lighter !== `-${today}`;

/** The reasons by which the next case is looked for, one after the other; undefined is any. */
export const nextReasons = (care: Care, today: string): (Reason | undefined)[] => (care.lighter === today ? ['spam', 'other', undefined] : [undefined]);

/** What storage holds, whatever somebody wrote there. */
export function parseCare(stored: string | null): Care {
  try {
    const value = JSON.parse(stored ?? '{}') as Record<string, unknown>;
    const kept = Object.entries(unset).filter(([name, standard]) => typeof value[name] === typeof standard);
    return { ...unset, ...Object.fromEntries(kept.map(([name]) => [name, value[name]])) };
  } catch {
    return unset;
  }
}

export const readCare = (user: string): Care => parseCare(readSetting(`care.${user}`));

export const changeCare = (user: string, change: Partial<Care>): void => writeSetting(`care.${user}`, JSON.stringify({ ...readCare(user), ...change }));

/** How the signed-in person spares themselves, and how to change it. */
export function useCare(): [Care, (change: Partial<Care>) => void] {
  const user = useUser()?.id ?? '';
  const stored = useSetting(`care.${user}`);
  return [useMemo(() => parseCare(stored), [stored]), (change) => changeCare(user, change)];
}

/** Counts somebody's decision on a report with the reason. */
export function countDecision(user: string, reason: Reason): void {
  if (isGrave(reason)) changeCare(user, counted(readCare(user), dayOf(new Date())));
}

import IntlMessageFormat from 'intl-messageformat';
import { localeById } from './locales';

export type Values = Record<string, string | number | boolean | Date | null | undefined>;

const compiled = new Map<string, IntlMessageFormat>();

/** Isolates inserted text, so that its direction does not reorder the sentence around it. */
function isolated(values: Values | undefined): Values | undefined {
  return values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' && value !== '' ? `\u2068${value}\u2069` : value]));
}

/** Formats one ICU message; one that does not parse is returned as it is. */
export function formatMessage(message: string, locale: string, values?: Values): string {
  // Most messages have no arguments, and parsing them all would delay the first screen.
  if (!/[{}']/.test(message)) return message;
  const key = `${locale}\u0000${message}`;
  try {
    let format = compiled.get(key);
    if (format === undefined) {
      format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
      compiled.set(key, format);
    }
    return String(format.format(localeById(locale).dir === 'rtl' ? isolated(values) : values));
  } catch {
    return message;
  }
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relatives = new Map<string, Intl.RelativeTimeFormat>();

/** Distance of a moment from now in its largest whole unit; less than a minute is "now". */
export function formatRelative(iso: string, locale: string, now: number, style: Intl.RelativeTimeFormatStyle = 'long'): string {
  const key = `${locale}:${style}`;
  let format = relatives.get(key);
  if (format === undefined) {
    format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style });
    relatives.set(key, format);
  }
  const seconds = (Date.parse(iso) - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return format.format(0, 'second');
}

/** A date with the month's name; the medium style has only digits in Arabic. */
export const wholeDay: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };

const wholeMoment: Intl.DateTimeFormatOptions = { ...wholeDay, hour: 'numeric', minute: '2-digit' };

const dates = new Map<string, Intl.DateTimeFormat>();

export function formatDate(iso: string, locale: string, options: Intl.DateTimeFormatOptions = wholeMoment): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return '';
  const key = `${locale}:${JSON.stringify(options)}`;
  let format = dates.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, options);
    dates.set(key, format);
  }
  return format.format(moment);
}

/** A day such as 2026-11-27, which is the same everywhere. */
export const formatDay = (day: string, locale: string): string => formatDate(`${day}T00:00:00Z`, locale, { ...wholeDay, timeZone: 'UTC' });

const units: readonly (readonly [string, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** A duration in its largest unit, with one decimal below ten. */
export function formatDuration(seconds: number, locale: string): string {
  // Nothing took no time at all.
  if (seconds < 1) return `< ${formatDuration(1, locale)}`;
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? ['second', 1];
  const value = seconds / length;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

export function formatBytes(bytes: number, locale: string): string {
  const [unit, size] = bytes >= 1e6 ? (['megabyte', 1e6] as const) : bytes >= 1e3 ? (['kilobyte', 1e3] as const) : (['byte', 1] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(bytes / size);
}

/** A language's name in the reader's language; an unknown tag is returned as it is. */
export function formatLanguage(tag: string, locale: string): string {
  if (tag === '') return '';
  try {
    const name = new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    return tag;
  }
}

/** Turns an unlabelled name such as `snapshotField_name` into words. */
export function humanise(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/^can[_-]/, '')
    .replace(/[._-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}

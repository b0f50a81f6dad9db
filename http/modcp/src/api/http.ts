/** Every request to the API is made here; every failure is an ApiError. */

import { noteReachable } from './reachable';

export const core = '/api/@platform/core';

export class ApiError extends Error {
  readonly status: number;
  /** The API's error code, or `network` when there was no answer. */
  readonly code: string;
  readonly body: Record<string, unknown>;
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, body: Record<string, unknown> = {}, requestId: string | null = null) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.body = body;
    this.requestId = requestId;
  }

  /** Seconds to wait before a retry, where the server names them. */
  get retryAfter(): number | null {
    const value = this.body.retryAfter;
    return typeof value === 'number' ? value : null;
  }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, 'network', error instanceof Error ? error.message : String(error));
}

/** Reports whether the server does not have this route at all. */
export function isMissingRoute(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 405 || error.status === 501);
}

type QueryValue = string | number | boolean | null | undefined;

/** Builds a path with its query; empty values are left out. */
export function withQuery(path: string, query: Record<string, QueryValue>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}

interface RequestOptions {
  method?: string;
  body?: unknown;
  /** The language of what the server writes, such as mails; else the browser's own. */
  language?: string;
  signal?: AbortSignal;
  /** Whether it is sent even if the page is left at once. */
  keepalive?: boolean;
}

export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const method = options.method ?? 'GET';
  let response: Response;
  try {
    const early = method === 'GET' ? window.takeEarlyAnswer?.(path) : undefined;
    response = await (early ?? fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      // A POST without a JSON content type is refused as a form submission, body or not.
      headers: {
        Accept: 'application/json',
        ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
        ...(options.language === undefined ? {} : { 'Accept-Language': options.language }),
      },
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
      keepalive: options.keepalive,
    }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteReachable(false);
    throw new ApiError(0, 'network', 'The server cannot be reached.');
  }
  noteReachable(true);
  const text = await response.text();
  if (response.ok && text === '') return undefined as T;
  const isJson = (response.headers.get('Content-Type') ?? '').includes('application/json');
  const body = isJson ? parse(text) : undefined;
  if (response.ok) {
    // An HTML answer means that no API route took the path.
    if (body === undefined) throw new ApiError(404, 'not_found', 'This server has no such route.');
    return body as T;
  }
  const record = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  throw new ApiError(
    response.status,
    typeof record.error === 'string' ? record.error : fallbackCode(response.status),
    typeof record.message === 'string' ? record.message : text.slice(0, 200),
    record,
    response.headers.get('X-Request-Id'),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fallbackCode(status: number): string {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 405) return 'method_not_allowed';
  return 'internal';
}

export const get = <T>(path: string, signal?: AbortSignal) => request<T>(path, { signal });
export const post = <T>(path: string, body?: unknown, language?: string) => request<T>(path, { method: 'POST', body, language });
export const patch = <T>(path: string, body: unknown) => request<T>(path, { method: 'PATCH', body });
export const put = <T>(path: string, body: unknown, language?: string) => request<T>(path, { method: 'PUT', body, language });
export const remove = <T>(path: string) => request<T>(path, { method: 'DELETE' });

import createFetch from 'openapi-fetch';

/** @type {import('./index.js').createClient} */
export const createClient = (server, token, options) =>
  createFetch({
    baseUrl: `${server}/api/@platform/core`,
    headers: { Authorization: `Bearer ${token}` },
    querySerializer: { array: { style: 'form', explode: false } },
    ...options,
  });

import type { Client, ClientOptions } from 'openapi-fetch';
import type { components, operations, paths } from './docket.js';

export type { components, operations, paths };

/** Returns a client of the API at a server, such as `https://docket.example`, with an API token or a JWT of the platform. */
export declare const createClient: (server: string, token: string, options?: ClientOptions) => Client<paths>;

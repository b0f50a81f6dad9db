import type { AuthorRef } from '../api/types';

export const authorPath = ({ pluginId, id }: AuthorRef) => `/modcp/authors/${encodeURIComponent(pluginId)}/${encodeURIComponent(id)}`;

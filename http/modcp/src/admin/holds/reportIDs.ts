const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** The ids of reports in a text, such as addresses of their pages, each once. */
export const reportIDs = (text: string): string[] => [...new Set((text.match(id) ?? []).map((one) => one.toLowerCase()))];

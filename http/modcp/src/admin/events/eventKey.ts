/** Returns the key of the message that names an event, by its type or its public name; one of a plugin has no message. */
export const eventKey = (name: string): string => `event.${name.replace(/^(moderation\.report|webhook)\./, '')}`;

/** Seconds between an order that nothing takes back and its sending; until then it can be undone. */
export const undoWindow = 7;

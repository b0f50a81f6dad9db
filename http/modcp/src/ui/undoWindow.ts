/** Seconds for which an order that the server cannot undo is held back before it is sent. */
export const undoWindow = 7;

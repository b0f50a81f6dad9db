/** What is wrong in a text, and where. */
export interface Fault {
  /** From 1; 0 is the whole. */
  line: number;
  /** In the line, from 1 and in code points. */
  column?: number;
  path: string;
  message: string;
}

/** The faults of each line, from 1; 0 has those of the whole. */
export function byLine(faults: readonly Fault[]): Map<number, Fault[]> {
  const lines = new Map<number, Fault[]>();
  for (const fault of faults) lines.set(fault.line, [...(lines.get(fault.line) ?? []), fault]);
  return lines;
}

/** Where a line begins and ends in a text; the last line for one beyond. */
export function lineRange(text: string, line: number): [from: number, to: number] {
  const lines = text.split('\n');
  const index = Math.min(Math.max(line, 1), lines.length) - 1;
  const from = lines.slice(0, index).reduce((length, one) => length + one.length + 1, 0);
  return [from, from + lines[index]!.length];
}

/** What to select for a fault: the word or the sign at its column, or else its line. */
export function faultRange(text: string, { line, column }: Pick<Fault, 'line' | 'column'>): [from: number, to: number] {
  const [start, end] = lineRange(text, line);
  if (column === undefined) return [start, end];
  const signs = Array.from(text.slice(start, end));
  const from = start + signs.slice(0, column - 1).join('').length;
  return [from, from + (/^(?:[\p{L}\p{N}_]+|.)/u.exec(text.slice(from, end))?.[0].length ?? 0)];
}

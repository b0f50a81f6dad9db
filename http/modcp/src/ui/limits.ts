/** Counts code points after trimming, as the server counts text limits. */
export function length(text: string): number {
  let count = 0;
  for (const _ of text.trim()) count++;
  return count;
}

export const noteLimits = { min: 3, max: 2000 } as const;
export const appealLimits = { min: 1, max: 5000 } as const;
export const settlementLimits = { min: 3, max: 2000 } as const;
export const detailLimits = { min: 10, max: 2000 } as const;
export const explanationLimit = 2000;
export const policyTitleLimit = 200;
export const flaggerNameLimit = 200;

/** Of twenty second opinions. */
export const goldenLimit = 5;

export const holdBasisLimits = { min: 1, max: 1000 } as const;
export const holdReferenceLimits = { min: 1, max: 200 } as const;
export const holdReportLimit = 10_000;
export const holdYears = 10;

/** Characters of plain text that a statement to an author may have. */
export const reasonsLimit = 10_000;

/** How many reports one decision is about. */
export const caseDecisionLimit = 200;

/** A rich-text note's document may take this many bytes as compact JSON. */
export const richNoteBytes = 65_536;

export function fits(text: string, limits: { min: number; max: number }): boolean {
  const count = length(text);
  return count >= limits.min && count <= limits.max;
}

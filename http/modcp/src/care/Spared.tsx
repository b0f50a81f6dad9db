import type { ReactNode } from 'react';
import type { Reason } from '../api/types';
import { BlurredWords } from './BlurredWords';
import { isGrave, useCare } from './care';

/** The fields of what was reported for that reason, blurred at first for somebody who asks for that. */
export function Spared({ reason, className, children }: { reason: Reason; className: string | undefined; children: ReactNode }) {
  const [{ words }] = useCare();
  const fields = <div className={className}>{children}</div>;
  return words && isGrave(reason) ? <BlurredWords>{fields}</BlurredWords> : fields;
}

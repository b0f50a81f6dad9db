import type { Report } from '../../api/types';
import type { Decide } from '../../decision/useVerdicts';
import type { Advance } from '../useAdvance';
import type { ReportCommands } from './useReportCommands';

export type WorkForm = 'assign' | 'resolve' | 'reopen' | 'escalate' | 'return' | 'note';

export interface WorkFormProps {
  report: Report;
  /** How many reports are decided together, and how many are left out; null where it is decided alone. */
  together: { count: number; heldByOthers: number } | null;
  /** Where the draft of the decision is kept. */
  draft: string;
  commands: ReportCommands;
  setForm: (form: WorkForm | null) => void;
  decide: Decide;
  /** False while nothing can be decided: before the notes are known, and where colleagues hold every report. */
  decidable: boolean;
  /** True where a decision was refused, because a colleague had changed the report. */
  contested: boolean;
  advance: Advance;
  /** Whether there is a choice of what a decision leads to. */
  chooses: boolean;
}

import type { Report } from '../../api/types';
import type { Decide } from '../../decision/useVerdicts';
import type { ReportCommands } from './useReportCommands';

export type WorkForm = 'assign' | 'resolve' | 'reopen' | 'note';

/** What is opened after a decision. */
export type AdvanceTo = 'report' | 'case';

export interface WorkFormProps {
  report: Report;
  commands: ReportCommands;
  setForm: (form: WorkForm | null) => void;
  decide: Decide;
  /** True where a decision was refused, because a colleague had changed the report. */
  contested: boolean;
  advance: boolean;
  setAdvance: (advance: boolean) => void;
  /** Null if there is no choice, which means the next report. */
  advanceTo: AdvanceTo | null;
  setAdvanceTo: (to: AdvanceTo) => void;
}

import { core, get } from './http';

export interface SystemCheck {
  name: string;
  level: 'fault' | 'warning' | 'ok' | 'off';
  /** The kind of what is wrong. */
  code: string | null;
  detail: string;
  advice: string | null;
}

interface Done<Detail> {
  at: string;
  detail: Detail;
}

/** When each was last done; null means never. */
export interface SystemUpkeep {
  backup: Done<{ bytes: number; reports: number }> | null;
  checkpoint: Done<{ events: number }> | null;
  verification: Done<{ events: number; checkpoints: number; findings: number }> | null;
}

export interface SystemStatus {
  version: string;
  examinedAt: string;
  checks: SystemCheck[];
  upkeep: SystemUpkeep;
}

export const getSystem = (signal?: AbortSignal) => get<SystemStatus>(`${core}/admin/system`, signal);

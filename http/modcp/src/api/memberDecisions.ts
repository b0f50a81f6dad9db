import type { AppealStatus } from './appeals';
import { core, get, post } from './http';
import type { AppealSide, ReportDecision, Resolution, Snapshot } from './types';

/** An appeal as its appellant sees it. */
export interface OwnAppeal {
  id: string;
  text: string | null;
  status: AppealStatus;
  createdAt: string;
  decidedAt: string | null;
  reply: string | null;
}

/** A decision that concerns the signed-in member. */
export interface MemberDecision {
  /** The report's. */
  id: string;
  target: { type: string; label: string; url: string };
  title: string;
  excerpt: string;
  /** Null where it was withdrawn and the report is open again. The deadline is null where this member cannot appeal. */
  decision: (ReportDecision & { resolution: Resolution; explanation: string | null }) | null;
  role: AppealSide;
  appeal: OwnAppeal | null;
}

export interface MemberDecisionDetails extends MemberDecision {
  /** Null for a reporter. */
  snapshot: Snapshot | null;
}

const base = `${core}/users/decisions`;
const one = (id: string) => `${base}/${encodeURIComponent(id)}`;

export const readDecision = (id: string, signal?: AbortSignal) => get<MemberDecisionDetails>(one(id), signal);

export const appealDecision = (id: string, text: string) => post<unknown>(`${one(id)}/appeal`, { text });

import type { Decision } from '../api/reports';
import type { Report } from '../api/types';

/** A decision at the version of the report that its moderator saw. */
export interface DecisionOrder {
  report: Pick<Report, 'id' | 'version' | 'status' | 'target'>;
  title: string | null;
  decision: Decision;
  /** What is done to the content in the same step. */
  action: string | null;
}

export interface HeldDecision extends DecisionOrder {
  /** When it is sent, in milliseconds; 0 once it is on its way. */
  until: number;
}

export interface HoldOptions {
  /** Milliseconds in which a decision can be taken back. */
  wait: number;
  /** Sends a decision, reports the outcome to the user and tells whether it was accepted; it never rejects. */
  send: (order: DecisionOrder) => Promise<boolean>;
}

/**
 * Holds decisions back for a moment, one per report, because sending one notifies the
 * reporter and every subscriber. Each is sent once or taken back.
 */
export class DecisionHold {
  readonly #options: HoldOptions;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #sending = new Map<string, Promise<boolean>>();
  readonly #listeners = new Set<() => void>();
  #all: ReadonlyMap<string, HeldDecision> = new Map();

  constructor(options: HoldOptions) {
    this.#options = options;
  }

  /** Decisions that wait or are being sent; a new map after each change. */
  readonly all = (): ReadonlyMap<string, HeldDecision> => this.#all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns false where the report already has a decision under way. */
  hold(order: DecisionOrder): boolean {
    const { wait } = this.#options;
    const held = { ...order, until: Date.now() + wait };
    const { id } = order.report;
    if (this.#all.has(id)) return false;
    this.#timers.set(id, setTimeout(() => this.sendNow(id), wait));
    this.#change((all) => all.set(id, held));
    return true;
  }

  /** Returns false where there is nothing left to take back. */
  takeBack(reportId: string): boolean {
    if (!this.#stop(reportId)) return false;
    this.#change((all) => all.delete(reportId));
    return true;
  }

  sendNow(reportId: string): void {
    const held = this.#all.get(reportId);
    if (held === undefined || !this.#stop(reportId)) return;
    this.#change((all) => all.set(reportId, { ...held, until: 0 }));
    const sending = this.#options.send(held).finally(() => {
      this.#sending.delete(reportId);
      this.#change((all) => all.delete(reportId));
    });
    this.#sending.set(reportId, sending);
  }

  /** Sends everything at once, and tells whether all of it was accepted. */
  async sendAll(): Promise<boolean> {
    for (const reportId of Array.from(this.#timers.keys())) this.sendNow(reportId);
    const accepted = await Promise.all(this.#sending.values());
    return accepted.every(Boolean);
  }

  #stop(reportId: string): boolean {
    clearTimeout(this.#timers.get(reportId));
    return this.#timers.delete(reportId);
  }

  #change(change: (all: Map<string, HeldDecision>) => void): void {
    const next = new Map(this.#all);
    change(next);
    this.#all = next;
    for (const listener of this.#listeners) listener();
  }
}

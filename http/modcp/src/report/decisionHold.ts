import type { Decision } from '../api/reports';

/** A decision at the version of the report that its moderator saw. */
export interface DecisionOrder {
  reportId: string;
  version: number;
  title: string | null;
  decision: Decision;
}

export interface HeldDecision extends DecisionOrder {
  /** When it is sent, in milliseconds; 0 once it is on its way. */
  until: number;
}

export interface HoldOptions {
  /** Milliseconds in which a decision can be taken back. */
  wait: number;
  /** Sends a decision and says how it went; it never rejects. */
  send: (order: DecisionOrder) => Promise<void>;
}

/**
 * Keeps decisions back for a moment, one a report, since the reporter and every
 * subscriber hear of one that was sent. Each is sent once or taken back.
 */
export class DecisionHold {
  readonly #options: HoldOptions;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #listeners = new Set<() => void>();
  #all: ReadonlyMap<string, HeldDecision> = new Map();

  constructor(options: HoldOptions) {
    this.#options = options;
  }

  /** Decisions that wait or are being sent; another map after each change. */
  readonly all = (): ReadonlyMap<string, HeldDecision> => this.#all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** False where a decision on the report is on its way already. */
  hold(order: DecisionOrder): boolean {
    const { wait } = this.#options;
    const held = { ...order, until: Date.now() + wait };
    if (this.#all.has(held.reportId)) return false;
    this.#timers.set(held.reportId, setTimeout(() => this.sendNow(held.reportId), wait));
    this.#change((all) => all.set(held.reportId, held));
    return true;
  }

  /** False where there is nothing left to take back. */
  takeBack(reportId: string): boolean {
    if (!this.#stop(reportId)) return false;
    this.#change((all) => all.delete(reportId));
    return true;
  }

  sendNow(reportId: string): void {
    const held = this.#all.get(reportId);
    if (held === undefined || !this.#stop(reportId)) return;
    this.#change((all) => all.set(reportId, { ...held, until: 0 }));
    void this.#options.send(held).finally(() => this.#change((all) => all.delete(reportId)));
  }

  /** For the moment when nobody could take anything back any more. */
  sendAll(): void {
    for (const reportId of [...this.#timers.keys()]) this.sendNow(reportId);
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

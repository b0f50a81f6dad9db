import type { ApiError } from '../api/http';
import type { Decision } from '../api/reports';
import type { Report } from '../api/types';

/** A decision at the version of the report that its moderator saw. */
export interface DecisionOrder {
  report: Pick<Report, 'id' | 'version' | 'status' | 'target'>;
  /** The reports of its case that are decided with it, itself among them; none where it is decided alone. */
  together: readonly Pick<Report, 'id' | 'version'>[];
  /** The draft that ends once the decision is accepted. */
  draft: string;
  title: string | null;
  decision: Decision;
  /** What is done to the content in the same step. */
  action: string | null;
  /** The account that decided. */
  by: string | null;
}

export interface HeldDecision extends DecisionOrder {
  /** When it is sent, in milliseconds; 0 once it is on its way or has failed. */
  until: number;
  /** Why it was not accepted when it was sent last. */
  error: ApiError | null;
}

/** Reports whether a decision may be accepted later as it is: no server answered, or nobody was signed in. */
export const passes = (error: ApiError) => error.status === 0 || error.status === 401 || error.status >= 500;

export interface HoldOptions {
  /** Milliseconds in which a decision can be taken back. */
  wait: number;
  /** Sends a decision and tells why it was not accepted, or null; it never rejects. */
  send: (order: DecisionOrder) => Promise<ApiError | null>;
}

/**
 * Holds decisions back for a moment, one per report, because sending one notifies the
 * reporter and every subscriber. Each stays until it was accepted or is taken back.
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

  /** Decisions that wait, are being sent or have failed, oldest first; a new map after each change. */
  readonly all = (): ReadonlyMap<string, HeldDecision> => this.#all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns false where the report already has a decision under way; one that failed is replaced. */
  hold(order: DecisionOrder): boolean {
    const { wait } = this.#options;
    const { id } = order.report;
    if (this.#all.get(id)?.error === null) return false;
    this.#timers.set(id, setTimeout(() => this.sendNow(id), wait));
    this.#change((all) => {
      all.delete(id);
      all.set(id, { ...order, until: Date.now() + wait, error: null });
    });
    return true;
  }

  /** Takes a decision back that waits or has failed. Returns false where there is none. */
  takeBack(reportId: string): boolean {
    const held = this.#all.get(reportId);
    if (held === undefined || (!this.#stop(reportId) && held.error === null)) return false;
    this.#change((all) => all.delete(reportId));
    return true;
  }

  /** Sends a decision that waits, or one that failed again. */
  sendNow(reportId: string): void {
    const held = this.#all.get(reportId);
    if (held === undefined || (!this.#stop(reportId) && held.error === null)) return;
    this.#change((all) => all.set(reportId, { ...held, until: 0, error: null }));
    const sending = this.#options.send(held).then((error) => {
      this.#sending.delete(reportId);
      this.#change((all) => (error === null ? all.delete(reportId) : all.set(reportId, { ...held, until: 0, error })));
      return error === null;
    });
    this.#sending.set(reportId, sending);
  }

  /** Sends everything at once, and tells whether all of it was accepted. */
  async sendAll(): Promise<boolean> {
    for (const reportId of this.#all.keys()) this.sendNow(reportId);
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

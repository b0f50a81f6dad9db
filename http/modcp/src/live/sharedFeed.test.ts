// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent, LiveState } from './events';
import { joinFeed } from './sharedFeed';

/** The browser's channel between tabs, which here are several in one window. */
class Channel {
  static open = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
    Channel.open.add(this);
  }
  postMessage(data: unknown) {
    if (!Channel.open.has(this)) return;
    for (const other of Array.from(Channel.open)) if (other !== this && other.name === this.name) other.onmessage?.({ data: structuredClone(data) });
  }
  close() {
    Channel.open.delete(this);
  }
}

class Source extends EventTarget {
  static open: Source[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    Source.open.push(this);
  }
  close() {
    Source.open = Source.open.filter((source) => source !== this);
  }
  tell(type: string, data: unknown, lastEventId: string) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }));
  }
}

/** Web Locks, as far as the feed needs them. */
function locks() {
  const queues = new Map<string, (() => Promise<void>)[]>();
  const serve = async (queue: (() => Promise<void>)[]) => {
    for (; queue[0] !== undefined; queue.shift()) await queue[0]();
  };
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, held: () => Promise<void>) =>
      new Promise<void>((_, reject) => {
        const queue = queues.get(name) ?? [];
        queues.set(name, queue);
        queue.push(held);
        signal.addEventListener('abort', () => {
          if (queue.indexOf(held) < 1) return;
          queue.splice(queue.indexOf(held), 1);
          reject(signal.reason as Error);
        });
        if (queue.length === 1) void serve(queue);
      }),
  };
}

function tab(account = 'ann') {
  const heard: LiveEvent[] = [];
  const states: LiveState[] = [];
  const leave = joinFeed(account, { onEvent: (event) => heard.push(event), onState: (state) => states.push(state) });
  leavers.push(leave);
  return { heard, leave, state: () => states.at(-1) };
}

let leavers: (() => void)[] = [];
const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);
const created = (reportId: string) => ({ reportId, sequence: 1, version: 1, status: 'new', assigneeId: null });
const present = { reportId: 'r', viewers: [{ id: '2', name: 'Ben' }] };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  vi.stubGlobal('EventSource', Object.assign(Source, { CLOSED: 2 }));
});
afterEach(() => {
  for (const leave of leavers) leave();
  leavers = [];
  Channel.open.clear();
  Source.open = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'locks');
});

describe.each([
  ['with Web Locks', true],
  ['without them', false],
])('tabs of one account %s', (_, withLocks) => {
  beforeEach(() => {
    if (withLocks) Object.defineProperty(navigator, 'locks', { value: locks(), configurable: true });
  });

  it('share one feed and its state', async () => {
    const tabs = [tab(), tab(), tab()];
    await settle(300);
    expect(Source.open).toHaveLength(1);
    expect(tabs.map((one) => one.state() ?? 'connecting')).toEqual(['connecting', 'connecting', 'connecting']);
    Source.open[0]!.onopen!();
    expect(tabs.map((one) => one.state())).toEqual(['on', 'on', 'on']);
    Source.open[0]!.tell('created', created('r'), 'id-1');
    for (const one of tabs) expect(one.heard).toMatchObject([{ kind: 'change', type: 'created', reportId: 'r' }]);
    await settle(10_000);
    expect(Source.open).toHaveLength(1);
  });

  it('tell a newcomer how it stands and who looks at what', async () => {
    tab();
    await settle(300);
    Source.open[0]!.onopen!();
    Source.open[0]!.tell('presence', present, 'id-1');
    const late = tab();
    await settle(300);
    expect(late.state()).toBe('on');
    expect(late.heard).toEqual([{ kind: 'presence', reportId: 'r', people: present.viewers }]);
    expect(Source.open).toHaveLength(1);
  });

  it('go on after the last event within two seconds when the holder leaves', async () => {
    const [first, second] = [tab(), tab()];
    await settle(300);
    Source.open[0]!.onopen!();
    Source.open[0]!.tell('created', created('r'), 'id-1');
    first.leave();
    expect(second.state()).toBe('connecting');
    await settle(300);
    expect(Source.open.map(({ url }) => url)).toEqual([expect.stringContaining('lastEventId=id-1')]);
    Source.open[0]!.onopen!();
    expect(second.state()).toBe('on');
    second.leave();
    await settle(2_000);
    expect(Source.open).toEqual([]);
  });

  it('ask for everything again where no event says what came in between', async () => {
    const [first, second] = [tab(), tab()];
    await settle(300);
    Source.open[0]!.onopen!();
    first.leave();
    await settle(300);
    expect(second.heard).toEqual([{ kind: 'reset' }]);
  });

  it('hold nothing while the page is kept for Back', async () => {
    const one = tab();
    await settle(300);
    dispatchEvent(new Event('pagehide'));
    expect(Source.open).toEqual([]);
    dispatchEvent(new Event('pageshow'));
    await settle(300);
    expect(Source.open).toHaveLength(1);
    expect(one.heard).toEqual([{ kind: 'reset' }]);
    expect(one.state()).toBe('connecting');
  });

  it('keep the feeds of two accounts apart', async () => {
    const [ann, ben] = [tab('ann'), tab('ben')];
    await settle(300);
    expect(Source.open).toHaveLength(2);
    Source.open[0]!.tell('created', created('r'), 'id-1');
    expect([ann.heard.length, ben.heard.length]).toEqual([1, 0]);
  });
});

it('a holder that falls silent is taken over from within two seconds', async () => {
  tab();
  await settle(300);
  Source.open[0]!.onopen!();
  const second = tab();
  await settle(300);
  // The tab crashes: its channels say nothing more.
  const [feed, voice] = Array.from(Channel.open);
  feed!.close();
  voice!.close();
  await settle(2_000);
  expect(Source.open).toHaveLength(2);
  expect(second.heard).toEqual([{ kind: 'reset' }]);
});

it('of two holders one stays', async () => {
  tab();
  await settle(300);
  // They could not hear each other for a while.
  const apart = Array.from(Channel.open);
  Channel.open.clear();
  tab();
  await settle(300);
  expect(Source.open).toHaveLength(2);
  for (const channel of apart) Channel.open.add(channel);
  await settle(600);
  expect(Source.open).toHaveLength(1);
});

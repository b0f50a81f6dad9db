// Measures a first visit to the board of the server at DOCKET_URL, as the demo's
// moderator: Chromium started afresh, nothing in its cache, the server warm. The
// times are read from Chromium's own trace. `make bench` runs it against 100,000
// reports. Prints the medians of BENCH_LOADS visits as one line of JSON, and with
// BENCH_TRACE writes the last visit's trace there, for chrome://tracing.
import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { launchOptions } from '../e2e/support/chromium.mjs';
import { readTrace, rowsMark } from './trace.mjs';

const server = process.env.DOCKET_URL ?? 'http://127.0.0.1:8080';
const loads = Number(process.env.BENCH_LOADS ?? 7);
/** Milliseconds without work for the main thread after which no more is expected. */
const quiet = 2_000;

async function visit() {
  const browser = await chromium.launch(launchOptions);
  try {
    const context = await browser.newContext({ baseURL: server, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const signIn = await page.request.post('/api/@platform/core/users/sign-in', {
      data: { email: 'moderator@demo.test', password: 'demo-password' },
    });
    if (!signIn.ok()) throw new Error(`sign-in answered ${signIn.status()}; ${server} must be a docket demo`);
    await page.addInitScript(markRows, rowsMark);

    const sizes = new Map();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));

    await browser.startTracing(page, { categories: ['blink.user_timing', 'loading', 'toplevel', 'disabled-by-default-devtools.timeline', 'devtools.timeline'] });
    await page.goto('/modcp/reports');
    await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, rowsMark);
    await page.waitForTimeout(quiet);
    const trace = await browser.stopTracing();
    if (process.env.BENCH_TRACE !== undefined) writeFileSync(process.env.BENCH_TRACE, trace);

    const bytes = [...sizes.values()];
    return { ...readTrace(trace), requests: bytes.length, bytes: bytes.reduce((sum, size) => sum + size, 0), largest: Math.max(...bytes) };
  } finally {
    await browser.close();
  }
}

/** Runs in the page: marks the moment after the frame that shows the first rows. */
function markRows(mark) {
  const observer = new MutationObserver(() => {
    if (document.querySelector('a[data-report]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () => performance.mark(mark);
      painted.port2.postMessage(null);
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const visits = [];
// The first one warms the server and the machine's own caches.
await visit();
for (let i = 0; i < loads; i++) visits.push(await visit());
const names = Object.keys(visits[0]);
const result = Object.fromEntries(names.map((name) => [name, Math.round(median(visits.map((one) => one[name])))]));
result.slowest = Math.round(Math.max(...visits.map((one) => one.interactive)));
console.log(JSON.stringify(result));

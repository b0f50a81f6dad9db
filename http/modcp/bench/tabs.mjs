// Measures twelve tabs of board and report that load in the same instant, as when a browser
// restores its session, as the demo's moderator in Chromium and Firefox. DOCKET_URL names the
// server, a docket demo with new reports; several by commas take turns, to compare builds.
// Prints a line of JSON for each, medians of BENCH_LOADS rounds: `shown`, milliseconds until
// the last tab shows its page; `median`, until half of them do; `cpu`, seconds of CPU that a
// load costs in the page's own process and in the browser's others. `cold` is a browser
// started afresh, `warm` one that has been there.
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../e2e/support/chromium.mjs';
import { cpuOf } from './cpu.mjs';

const servers = (process.env.DOCKET_URL ?? 'http://127.0.0.1:8080').split(',');
const rounds = Number(process.env.BENCH_LOADS ?? 5);
const engines = (process.env.ENGINES ?? 'chromium,firefox').split(',');
const tabCount = Number(process.env.BENCH_TABS ?? 12);
/** Milliseconds after the last tab has shown its page within which what follows has been done. */
const settle = 2_000;

const launch = {
  chromium: { browser: 'chrome', ...launchOptions },
  firefox: { browser: 'firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' },
};

/** Runs in the page: notes when the rows of a board, or the heading of a report, are there. */
function noteShown() {
  const look = () => {
    if (document.querySelector('a[data-report], main h1') === null) return false;
    if (location.pathname.endsWith('/reports') && document.querySelector('a[data-report]') === null) return false;
    window.shownAt = performance.timeOrigin + performance.now();
    return true;
  };
  const observer = new MutationObserver(() => {
    if (look()) observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
}

async function visit(engine, server) {
  const browser = await puppeteer.launch({ headless: true, defaultViewport: { width: 1280, height: 900 }, ...launch[engine] });
  try {
    const first = await browser.newPage();
    await first.goto(`${server}/robots.txt`);
    const id = await first.evaluate(signIn);
    const tabs = [first];
    while (tabs.length < tabCount) tabs.push(await browser.newPage());
    for (const tab of tabs) await tab.evaluateOnNewDocument(noteShown);
    const result = {};
    for (const state of ['cold', 'warm']) {
      const before = cpuOf(browser.process().pid);
      const start = Date.now();
      await Promise.all(tabs.map((tab, index) => tab.goto(server + (index % 2 === 0 ? '/modcp/reports' : `/modcp/reports/${id}`), { timeout: 120_000 })));
      const shown = await Promise.all(tabs.map(async (tab) => (await tab.waitForFunction(() => window.shownAt, { timeout: 120_000, polling: 250 })).jsonValue()));
      result[`${state} shown`] = Math.max(...shown) - start;
      result[`${state} median`] = median(shown) - start;
      await new Promise((resolve) => setTimeout(resolve, settle));
      const after = cpuOf(browser.process().pid);
      for (const kind of ['page', 'other']) result[`${state} cpu ${kind}`] = (after[kind] - before[kind]) / tabs.length;
    }
    return result;
  } finally {
    await browser.close();
  }
}

/** Runs in the page: signs in and gives the id of a report. */
async function signIn() {
  const core = '/api/@platform/core';
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${core}/users/sign-in`, { method: 'POST', headers, body: JSON.stringify({ email: 'moderator@demo.test', password: 'demo-password' }) });
  const list = await (await fetch(`${core}/moderation/reports?status=new`)).json();
  return list.edges[0].id;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const visits = new Map();
for (let round = 0; round < rounds; round++) {
  for (const engine of engines) {
    for (const server of servers) {
      const name = `${engine} ${server}`;
      const one = await visit(engine, server);
      visits.set(name, [...(visits.get(name) ?? []), one]);
    }
  }
}
for (const [name, all] of visits) {
  const figures = Object.keys(all[0]).map((figure) => [figure, Number(median(all.map((one) => one[figure])).toFixed(figure.includes('cpu') ? 3 : 0))]);
  console.log(JSON.stringify({ name, ...Object.fromEntries(figures) }));
}

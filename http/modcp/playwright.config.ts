import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/support/chromium.mjs';

const pictures = process.env.PICTURES !== undefined ? 'pictures.ts' : process.env.LOOKS !== undefined ? 'looks.ts' : undefined;

/**
 * The panel in Debian's Chromium against the real server and its PostgreSQL. Each worker
 * has a demo of its own, on which its tests run one after the other.
 */
export default defineConfig({
  testDir: 'e2e',
  projects:
    pictures !== undefined
      ? [{ name: 'pictures', testMatch: pictures }]
      : [
          // One worker, so that each engine starts once.
          { name: 'engines', testMatch: 'engines/*.spec.ts', workers: 1 },
          { name: 'panel', testIgnore: 'engines/*' },
        ],
  outputDir: 'e2e/.artifacts',
  workers: 3,
  fullyParallel: false,
  // One more try where a busy machine stood in the way; the list names what needed it.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  globalSetup: './e2e/support/setup.ts',
  use: {
    viewport: { width: 1280, height: 900 },
    actionTimeout: 15_000,
    locale: 'en-GB',
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions,
  },
});

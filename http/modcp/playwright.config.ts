import { defineConfig } from '@playwright/test';

/**
 * The panel in Debian's Chromium against the real server and its PostgreSQL.
 * One worker: the tests share one demo and this machine may be small.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'e2e/.artifacts',
  workers: 1,
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
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});

import { existsSync } from 'node:fs';

// The shell is the same engine without the windows around it, which took a fifth of the tests' processor time.
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** How tests and measurements start Debian's Chromium: without its requests to the outside. */
export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? installed.find((path) => existsSync(path)) ?? installed[0],
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--in-process-gpu', // there is none, and a process for it takes a twentieth of the tests' processor time
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

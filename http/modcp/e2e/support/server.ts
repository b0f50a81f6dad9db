import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const readyWithin = 120_000;

/** A running `docket demo` of the test's own. */
export interface Server {
  url: string;
  /** Ends it as an operator would and waits until it is gone. */
  stop: () => Promise<void>;
}

/** Starts the binary and waits for its first line, `docket ready URL`. */
export async function startServer(binary: string, dataDir: string, listen = '127.0.0.1:0', args: readonly string[] = [], environment: Record<string, string> = {}): Promise<Server> {
  const child: ChildProcess = spawn(binary, ['demo', ...args], {
    env: { ...process.env, ...environment, DOCKET_LISTEN: listen, DOCKET_DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('docket demo was not ready in time')), readyWithin);
    child.once('exit', (code) => reject(new Error(`docket demo ended with ${code}`)));
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(timer);
      const ready = /^docket ready (\S+)/.exec(line);
      if (ready === null) reject(new Error(`unexpected first line: ${line}`));
      else resolve(ready[1]!);
    });
  });
  child.removeAllListeners('exit');
  return {
    url: url.replace(/\/$/, ''),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const readyWithin = 120_000;

/** A running `docket demo`, or another command, of the test's own. */
export interface Server {
  url: string;
  /** The address that makes the first administrator, on a server that prints one. */
  setupLink: Promise<string>;
  /** Ends it as an operator would and waits until it is gone. It fails if a request panicked meanwhile. */
  stop: () => Promise<void>;
}

/** Starts the binary and waits for its first line, `docket ready URL`. */
export async function startServer(binary: string, dataDir: string, listen = '127.0.0.1:0', args: readonly string[] = [], environment: Record<string, string> = {}, command = 'demo'): Promise<Server> {
  const child: ChildProcess = spawn(binary, [command, ...args], {
    env: { ...process.env, ...environment, DOCKET_LISTEN: listen, DOCKET_DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: child.stdout! });
  let panic: string | undefined;
  createInterface({ input: child.stderr! }).on('line', (line) => {
    process.stderr.write(`${line}\n`);
    if (line.includes('"stack":')) panic = line;
  });
  const setupLink = new Promise<string>((resolve) => lines.on('line', (line) => line.startsWith('docket setup ') && resolve(line.slice('docket setup '.length))));
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`docket ${command} was not ready in time`)), readyWithin);
    child.once('exit', (code) => reject(new Error(`docket ${command} ended with ${code}`)));
    lines.once('line', (line) => {
      clearTimeout(timer);
      const ready = /^docket ready (\S+)/.exec(line);
      if (ready === null) reject(new Error(`unexpected first line: ${line}`));
      else resolve(ready[1]!);
    });
  });
  child.removeAllListeners('exit');
  return {
    url: url.replace(/\/$/, ''),
    setupLink,
    stop: () =>
      new Promise((resolve, reject) => {
        child.once('exit', () => (panic === undefined ? resolve() : reject(new Error(`the server panicked: ${panic}`))));
        child.kill('SIGTERM');
      }),
  };
}

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** A demo of the test's own, in a folder that goes with it. */
export interface Demo extends Server {
  data: string;
  /** Ends it; `resume` starts it again, with its data, at its address, and with more settings. */
  halt: () => Promise<void>;
  resume: (more?: Record<string, string>) => Promise<void>;
}

export async function startDemo(environment: Record<string, string> = {}, listen?: string): Promise<Demo> {
  const work = mkdtempSync(join(tmpdir(), 'docket-e2e-'));
  // Local mode runs PostgreSQL as an unprivileged user, who must reach the folder.
  chmodSync(work, 0o755);
  const data = join(work, 'data');
  const start = (at?: string, more: Record<string, string> = {}) => startServer(process.env.E2E_BINARY!, data, at, [], { ...environment, ...more });
  let server = await start(listen);
  const { url } = server;
  return {
    ...server,
    data,
    halt: () => server.stop(),
    resume: async (more) => void (server = await start(new URL(url).host, more)),
    stop: async () => {
      await server.stop();
      rmSync(work, { recursive: true, force: true });
    },
  };
}

/** An address of this machine that nobody listens on. */
export function freeAddress(host = '127.0.0.1'): Promise<string> {
  const probe = createServer();
  return new Promise((found) => {
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => found(`${host}:${port}`));
    });
  });
}

/** Starts the binary and waits for its first line, `docket ready URL`. A demo without data begins with what the set-up has made. */
export async function startServer(binary: string, dataDir: string, listen = '127.0.0.1:0', args: readonly string[] = [], environment: Record<string, string> = {}, command = 'demo'): Promise<Server> {
  if (command === 'demo' && process.env.E2E_DEMO !== undefined && !existsSync(dataDir)) execFileSync('cp', ['-a', process.env.E2E_DEMO, dataDir]);
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

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Browser, Engine, Tab } from './tab';

const startWithin = 30_000;

/** The codes of WebDriver for keys that have no character. */
const codes: Record<string, string> = { Control: '\uE009', Shift: '\uE008', Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', Backspace: '\uE003', End: '\uE010', Home: '\uE011', ArrowDown: '\uE015', ArrowUp: '\uE013', Space: ' ' };

/** WebKitGTK's small browser over WebDriver, on a display of its own that nobody sees. */
export async function startWebKit(): Promise<Engine> {
  const [display, screen] = await startDisplay();
  return {
    open: () => openBrowser(display),
    stop: () => end(screen),
  };
}

/** Xvfb picks a free display and says which. */
async function startDisplay(): Promise<[string, ChildProcess]> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const display = await new Promise<string>((resolve, reject) => {
    screen.once('error', reject);
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    screen.stdout!.once('data', (data) => resolve(`:${String(data).trim()}`));
  });
  screen.removeAllListeners('exit');
  return [display, screen];
}

/** A driver serves one session, so each browser has its own. */
async function openBrowser(display: string): Promise<Browser> {
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' }, stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) => driver.once('error', reject));
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body === undefined ? undefined : JSON.stringify(body) });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`WebKitWebDriver: ${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  await Promise.race([ready(send), failed]);
  const wanted = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] } };
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', { capabilities: { alwaysMatch: wanted } });
  const session = <T>(method: string, path: string, body?: object) => send<T>(method, `/session/${sessionId}${path}`, body);
  await session('POST', '/window/rect', { width: 1280, height: 960 });
  let first: string | null = await session<string>('GET', '/window');
  let current = first;
  const switchTo = async (handle: string) => {
    if (handle !== current) await session('POST', '/window', { handle });
    current = handle;
  };
  return {
    newTab: async () => {
      const handle = first ?? (await session<{ handle: string }>('POST', '/window/new', { type: 'tab' })).handle;
      first = null;
      return tabOf(session, () => switchTo(handle));
    },
    close: async () => {
      await send('DELETE', `/session/${sessionId}`).catch(() => {
        // It has ended by itself; the driver ends next.
      });
      await end(driver);
    },
  };
}

/** Debian keeps it in the folder of the machine's architecture. */
function miniBrowser(): string | undefined {
  const paths = readdirSync('/usr/lib').flatMap((folder) => ['4.1', '4.0'].map((api) => `/usr/lib/${folder}/webkit2gtk-${api}/MiniBrowser`));
  return paths.find((path) => existsSync(path));
}

type Send = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Commands go to one tab at a time, whichever is switched to. */
function tabOf(session: Send, switchHere: () => Promise<void>): Tab {
  const here = async <T>(method: string, path: string, body?: object): Promise<T> => {
    await switchHere();
    return session<T>(method, path, body);
  };
  const keys = async (actions: object[]) => here<void>('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  return {
    goto: (url) => here('POST', '/url', { url }),
    back: () => here('POST', '/back', {}),
    reload: () => here('POST', '/refresh', {}),
    resize: (width, height) => here('POST', '/window/rect', { width, height }),
    evaluate: async <T>(expression: string) => {
      const script = `const done = arguments[0]; (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const { value, error } = await here<{ value: T; error?: string }>('POST', '/execute/async', { script, args: [] });
      if (error !== undefined) throw new Error(error);
      return value;
    },
    clickAt: async (x, y) => {
      const actions = [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
      await here('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] });
    },
    type: (text) => keys(Array.from(text).flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }])),
    press: (pressed) => {
      const values = pressed.split('+').map((key) => codes[key] ?? key);
      return keys([...values.map((value) => ({ type: 'keyDown', value })), ...values.reverse().map((value) => ({ type: 'keyUp', value }))]);
    },
    // WebDriver has no way to the console; `screen.ts` listens in the page.
    errors: async () => [],
    close: () => here('DELETE', '/window'),
  };
}

async function ready(send: Send): Promise<void> {
  const until = Date.now() + startWithin;
  for (;;) {
    try {
      await send('GET', '/status');
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

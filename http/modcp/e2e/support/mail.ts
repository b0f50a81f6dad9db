import { createServer, type Socket } from 'node:net';

export interface Mail {
  to: string;
  text: string;
  html: string;
}

/** A mail server on loopback that keeps what it is given. */
export interface MailServer {
  url: string;
  /** Gives the next mail, in the order in which they came. */
  next: () => Promise<Mail>;
  stop: () => void;
}

export async function startMail(): Promise<MailServer> {
  const kept: Mail[] = [];
  const waiting: ((mail: Mail) => void)[] = [];
  const server = createServer((socket) =>
    converse(socket, (mail) => {
      const first = waiting.shift();
      if (first === undefined) kept.push(mail);
      else first(mail);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}?from=docket@example.test`,
    next: () => {
      const first = kept.shift();
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
    },
    stop: () => server.close(),
  };
}

/** Speaks SMTP (RFC 5321) as far as a client needs that has nothing to hide. */
function converse(socket: Socket, deliver: (mail: Mail) => void): void {
  let to = '';
  let data: string[] | null = null;
  let rest = '';
  const say = (line: string) => socket.write(`${line}\r\n`);
  socket.on('error', () => socket.destroy());
  say('220 mail.test');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (data !== null && line === '.') {
        deliver({ to, text: part(data, 'text/plain'), html: part(data, 'text/html') });
        data = null;
        say('250 kept');
      } else if (data !== null) {
        data.push(line.replace(/^\.\./, '.'));
      } else if (/^DATA/i.test(line)) {
        data = [];
        say('354 go ahead');
      } else if (/^QUIT/i.test(line)) {
        say('221 bye');
        socket.end();
      } else {
        to = /^RCPT TO:<(.*)>/i.exec(line)?.[1] ?? to;
        say('250 mail.test');
      }
    }
  });
}

/** Gives the decoded part of a multipart mail whose parts are quoted-printable. */
function part(lines: readonly string[], type: string): string {
  const begin = lines.findIndex((line) => line.startsWith('Content-Type: ' + type));
  const body = lines.indexOf('', begin);
  const end = lines.findIndex((line, n) => n > body && line.startsWith('--'));
  const bytes = lines
    .slice(body + 1, end)
    .join('\n')
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

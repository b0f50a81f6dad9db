import type { MessageKey } from '../../i18n/messages';

/** The server's sentences for a failed delivery; the first group holds the detail. */
const sentences: [RegExp, MessageKey][] = [
  [/^answered (\d+)$/, 'failure.answered'],
  [/^answered (\d+), a redirect, which is not followed$/, 'failure.redirect'],
  [/^no complete answer within (.+)$/, 'failure.late'],
  [/^TLS: the certificate is not trusted: (.+)$/, 'failure.untrusted'],
  [/^TLS: the other side does not speak TLS$/, 'failure.noTls'],
  [/^the name of the host cannot be resolved$/, 'failure.noHost'],
  [/^connection failed: (.+)$/, 'failure.connection'],
  [/^the webhook is disabled$/, 'failure.disabled'],
];

/** Returns the message for a failure and its detail, or null for a text that has no translation. */
export function failureMessage(text: string): { key: MessageKey; what: string } | null {
  for (const [sentence, key] of sentences) {
    const found = sentence.exec(text);
    if (found !== null) return { key, what: found[1] ?? '' };
  }
  return null;
}

import { describe, expect, it } from 'vitest';
import { failureMessage } from './failureText';

describe('why something failed', () => {
  it.each([
    ['answered 503', { key: 'failure.answered', what: '503' }],
    ['answered 302, a redirect, which is not followed', { key: 'failure.redirect', what: '302' }],
    ['no complete answer within 10s', { key: 'failure.late', what: '10s' }],
    ['TLS: the certificate is not trusted: x509: expired', { key: 'failure.untrusted', what: 'x509: expired' }],
    ['TLS: the other side does not speak TLS', { key: 'failure.noTls', what: '' }],
    ['the name of the host cannot be resolved', { key: 'failure.noHost', what: '' }],
    ['connection failed: connection refused', { key: 'failure.connection', what: 'connection refused' }],
    ['the webhook is disabled', { key: 'failure.disabled', what: '' }],
    ['Words of a listener.', null],
    ['', null],
  ])('“%s” is %j', (text, expected) => {
    expect(failureMessage(text)).toEqual(expected);
  });
});

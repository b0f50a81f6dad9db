import { describe, expect, it } from 'vitest';
import { faultKey } from './faultMessages';

describe('faultKey', () => {
  it.each([
    ['new', 'too_short', 'fault.passwordShort'],
    ['password', 'too_long', 'fault.passwordLong'],
    ['name', 'too_long', 'fault.long'],
    ['token', 'invalid_link', 'fault.link'],
    ['name', 'a_code_of_tomorrow', null],
  ])('of %s: %s is %s', (path, code, key) => {
    expect(faultKey({ path, code, message: '' })).toBe(key);
  });
});

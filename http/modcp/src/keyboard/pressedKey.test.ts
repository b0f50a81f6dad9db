import { describe, expect, it } from 'vitest';
import { digitOf, keyOf } from './pressedKey';
import { bind, keyLabel } from './shortcuts';

const key = (name: string, code: string, held: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) => ({ key: name, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });

describe('a digit', () => {
  it.each([
    ['on any keyboard', key('1', 'Digit1'), '1'],
    ['with Shift', key('!', 'Digit1', { shiftKey: true }), 'shift+1'],
    ['where the row prints letters', key('é', 'Digit2'), '2'],
    ['where digits are Arabic', key('٣', 'Digit3'), '3'],
    ['nought', key('0', 'Digit0'), ''],
    ['with Ctrl, which changes tabs', key('1', 'Digit1', { ctrlKey: true }), ''],
    ['a letter', key('a', 'KeyA'), ''],
  ])('%s', (_name, pressed, expected) => expect(digitOf(pressed)).toBe(expected));

  it('of the number pad is its own name', () => expect(keyOf(key('4', 'Numpad4'))).toBe('4'));
});

describe('shortcuts that are several digits', () => {
  it('run with the digit that was pressed', () => {
    const ran: string[] = [];
    const bindings = bind('verdict', { noViolation: (digit) => ran.push(`no ${digit}`), rule: (digit) => ran.push(`rule ${digit}`), fillIn: (digit) => ran.push(`fill ${digit}`) });
    for (const name of ['1', '2', '9', 'shift+1', 'shift+9']) bindings[name]!();
    expect(ran).toEqual(['no 1', 'rule 2', 'rule 9', 'fill 1', 'fill 9']);
  });

  it.each([
    ['2', '9', '2–9'],
    ['shift+1', '9', 'Shift 1–9'],
    ['shift+h', undefined, 'Shift H'],
    ['mod+k', undefined, 'Ctrl K'],
    ['mod+Enter', undefined, 'Ctrl Enter'],
    ['g n', undefined, 'g n'],
  ])('%s to %s reads %s', (name, to, expected) => expect(keyLabel(name, to)).toBe(expected));
});

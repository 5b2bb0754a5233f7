import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { oneLine, printable } from '../../src/kernel/text/safe-text.js';
import { hostileText } from '../support/hostile-text.js';

describe('printable', () => {
  it('shows control characters instead of sending them', () => {
    expect(printable('\u001B]0;pwned\u0007 \u007F \u009B31m')).toBe('␛]0;pwned␇ ␡ �31m');
  });

  it('replaces what reorders, hides or is no text', () => {
    expect(printable('a\u202Eb\u2066c\uD800d\uFFFEe\u{E0041}f')).toBe('a�b�c�d�e�f');
  });

  it('knows every line break and makes a tab a space', () => {
    expect(printable('a\r\nb\rc\u2028d\u2029e\u0085f\tg')).toBe('a\nb\nc\nd\ne\nf g');
  });

  it('leaves scripts and emoji alone', () => {
    const text = 'family 👨‍👩‍👧, שלום, مرحبا, नमस्ते, e\u0301';
    expect(printable(text)).toBe(text);
  });

  it('leaves what it returned alone', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(printable(printable(text))).toBe(printable(text));
      }),
    );
  });
});

describe('oneLine', () => {
  it('makes a run of white space one space and trims', () => {
    expect(oneLine(' a \r\n\t b\u00A0c\u2028\n')).toBe('a b c');
  });

  it('leaves what it returned alone', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(oneLine(oneLine(text))).toBe(oneLine(text));
      }),
    );
  });
});

import * as fc from 'fast-check';

/** Texts that break out of one format or another when they are not escaped. */
const ATTACKS = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"]; A --> B["',
  '-->',
  '--!> <!-- note',
  '\u001B]0;pwned\u0007',
  '\u001B[2J\u009B31m',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)',
  '+1',
  '-1',
  "'=1",
  ']]>',
  '<![CDATA[',
  '{{7*7}}',
  String.raw`\N \G \l \"`,
  'ends in \\',
  '\'"',
  'end',
  'subgraph',
  'click g_root href "javascript:alert(1)"',
  '%%{init: {"theme": "dark"}}%%',
  'style a:b#c;',
  '#quot;#35;',
  'ﬂ°°60¶ß',
  '`backticks` and ```fences```',
  '- [x] fake item',
  '# heading #',
  '1. first',
  '12) twelfth',
  '---',
  '+ plus',
  ': definition',
  '====',
  '\r\n- [ ] injected',
  '\n\n# injected\n\n---\n',
  '[link](javascript:alert(1)) ![image](x)',
  '[^1] [^1]: note',
  '[x]: http://example.com',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '***bold*** __under__ ~~struck~~',
  '&lt; &amp;amp; &#60; &quot;',
  '<b>label</b>',
  'https://example.com www.example.com someone@example.com <https://example.com>',
  ':smile: @mention #1 $x^2$',
  'line\u2028separator\u2029paragraph\u0085next',
  '\u202Egnp.exe\u2066\u2069',
  'lone \uD800 half \uDC00',
  '\uFFFE\uFFFF\uFEFFmarks',
  '\u{E0049}\u{E0047}hidden tags',
  '\u0000null\u007Fdelete\tTab\u000Bvertical\u000Cfeed',
  'goals[2]{id,status}:',
  'null',
  'true',
  '1.50',
  ' ',
  '   padded   ',
  'a,b;c\td"e',
  'family 👨‍👩‍👧 שלום مرحبا नमस्ते',
];

/** A goal's description as nobody would want it: attacks, any Unicode, and the two glued together. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc
    .array(fc.oneof(fc.constantFrom(...ATTACKS), fc.string({ unit: 'binary' })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join('') || ' '),
);

/** Every attack once. */
export const allAttacks: readonly string[] = ATTACKS;

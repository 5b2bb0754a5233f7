import * as fc from 'fast-check';

/** Characters that take no column, by name. */
export const UNSEEN: readonly (readonly [string, string])[] = [
  ['a combining mark', '\u0301'],
  ['an enclosing mark', '\u20DD'],
  ['a joiner', '\u200D'],
  ['a non-joiner', '\u200C'],
  ['a variation selector', '\uFE0F'],
  ['a variation selector beyond the BMP', '\u{E0100}'],
  ['a tag', '\u{E0061}'],
  ['a space of no width', '\u200B'],
  ['a soft hyphen', '\u00AD'],
  ['a filler', '\u3164'],
  ['a direction mark', '\u200F'],
];

/** Texts with long runs of characters that take no column. */
export const unseenText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc
        .tuple(fc.constantFrom(...UNSEEN.map(([, mark]) => mark)), fc.integer({ min: 1, max: 600 }))
        .map(([mark, count]) => mark.repeat(count)),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''));

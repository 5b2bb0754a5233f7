import { expect, test } from 'vitest';

import { scale } from '../faults/support/scale.js';
import { patternsInSource, patternsMade } from '../support/patterns/patterns-of-source.js';
import { slowAttackOn } from '../support/patterns/slow-attack.js';

/** How many texts are derived from each part of a pattern, and tried of a large one. */
const VARIETY = scale({ draws: 4, paired: 8 }, { draws: 1, paired: 3, most: 1500 });
/** Tests that the patterns are dealt out to. */
const SHARES = Array.from({ length: scale(1, 48) }, (_, share) => share);
const inShare = (share: number) => (_: unknown, index: number) => index % SHARES.length === share;

const { literals, makers } = patternsInSource();

/** Sticky ones after whose first failure nothing more is read: they need not be quick at every place of a text. */
const READ_ONCE = new Map([
  [
    String.raw`(?:[\s\uFEFF]+|\/\/[^\n\r]*|#[^\n\r]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*`,
    'comments before a value, which is none behind one that does not end',
  ],
  [String.raw`[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))`, 'the markers that a line begins with'],
  [String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])`, 'a number, else there is no value'],
]);

/** Files whose functions make a pattern, with what they make of a stranger’s words, or of their own. */
const MADE_LATER: Readonly<Record<string, readonly RegExp[]>> = {
  'features/interop/checklists/write-checklist.ts': [/^ {0,12}/],
  'features/interop/imports/spec-kit-plan.ts': [/^User Story 12\b/i],
  'features/teams/postgres/database-url.ts': [/(?<![\p{L}\p{N}_])a\.b(?![\p{L}\p{N}_])/gu],
  // Copies of literals.
  'features/rules/goal-parts.ts': [],
  'host/processes/marked-processes.ts': [/(?:^| )FRCTL_ATTEMPT=(run\S+)(?= |$)/],
  // Patterns of schemas, which are literals.
  'kernel/json/plain-shape.ts': [],
  'llm/reply/read-reply.ts': [/<\/thinking>/i],
  'llm/text/scrub.ts': [
    /\\{0,4}(?:\u0073|(?<=\\)u[00][00][77][33])\\{0,4}(?:\u005c|(?<=\\)u[00][00][55][cC])\\{0,4}(?:\u006b|(?<=\\)u[00][00][66][bB])/g,
  ],
  'storage/log/line-codec.ts': [/"id":"([^"\\]{1,64})"/],
};

const made = patternsMade();

test.each(SHARES)(
  'no literal of share %d takes longer on a text of its own kind than the text grows',
  (share) => {
    expect(literals.length).toBeGreaterThan(800);
    expect(literals.filter(inShare(share)).flatMap(slowness)).toEqual([]);
  },
);

test.each(SHARES)('neither does a pattern of share %d that is made when the library is loaded', (share) => {
  expect(made.length).toBeGreaterThan(40);
  expect(made.filter(inShare(share)).flatMap(slowness)).toEqual([]);
});

test('nor one that a function makes, of which there is an example here', () => {
  const before = new Set([...made.map(({ place }) => place), ...Object.keys(MADE_LATER)]);
  expect(makers.filter((file) => !before.has(file))).toEqual([]);
  const examples = Object.entries(MADE_LATER).flatMap(([place, patterns]) =>
    patterns.map((pattern) => ({ place, pattern })),
  );
  expect(examples.flatMap(slowness)).toEqual([]);
});

test.each([
  /\s+$/,
  /^(?:\d+)*$/,
  /<!--[^]*?-->/,
  /(?<=^\d+)[.)]/,
  /\B(?=(?:\d{3})+$)/,
  /[$@](?:\w|::)+(?:\([^\s)]*\))?/uy,
  /(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g,
  /(?:^|\n)## A[^]*?## B/,
])('%s takes too long, and is found by a text that is made of it', (pattern) => {
  expect(slowAttackOn(pattern, VARIETY)).toBeDefined();
});

function slowness({
  place,
  pattern,
}: {
  readonly place: string;
  readonly pattern: RegExp;
}): readonly string[] {
  const found = slowAttackOn(pattern, { ...VARIETY, once: READ_ONCE.has(pattern.source) });
  if (found === undefined) return [];
  const { before, repeated, after, growth } = found;
  const text = JSON.stringify([before, `${repeated} repeated`, after]);
  return [
    `${place} ${String(pattern)} takes ${growth.toFixed(1)} times as long for 4 times the text: ${text}`,
  ];
}

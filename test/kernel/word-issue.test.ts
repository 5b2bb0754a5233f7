import { expect, test } from 'vitest';
import * as z from 'zod';

import { parseInput } from '../../src/operations/parse-input.js';
import { IN_OUR_WORDS, wordIssue } from '../../src/kernel/word-issue.js';

const SECRET = 'sk-s3cret';
/** What zod itself says. */
const OF_ZOD = /Invalid|expected|received|Too (?:big|small)|Unrecognized/;

const KINDS = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a') }),
  z.object({ kind: z.literal('b') }),
]);

test.each([
  [z.number(), SECRET, 'must be a number, not a text'],
  [z.number().max(64), 99, 'must be at most 64, not 99'],
  [z.number().gt(0), 0, 'must be more than 0, not 0'],
  [z.number().multipleOf(5), 7, 'must be a multiple of 5, not 7'],
  [z.int(), 1.5, 'must be a whole number, not 1.5'],
  [z.boolean(), SECRET, 'must be true or false, not a text'],
  [z.string(), null, 'must be a text, not null'],
  [z.string(), undefined, 'is missing'],
  [z.string().max(3), SECRET, 'must be at most 3 characters long, not 9'],
  [z.string().regex(/^a$/), SECRET, 'must have the form /^a$/, not that of a text'],
  [z.url(), SECRET, 'must be a URL, not a text'],
  [z.array(z.string()).min(2), ['a'], 'must have at least 2 entries, not 1'],
  [z.array(z.string()).min(1), [], 'must have at least 1 entry, not 0'],
  [z.enum(['a', 'b', 'c']), SECRET, 'must be a, b or c, not a text'],
  [z.enum(['a', 'b', 'c']), 'rulez', 'must be a, b or c, not "rulez"'],
  [KINDS, { kind: 'rulez' }, 'must be a or b, not "rulez"'],
  [z.strictObject({}), { x: SECRET }, 'there is no "x"'],
  [z.union([z.string(), z.null()]), 7, 'is none of what it may be: it is 7'],
  [z.record(z.string(), z.string()), [], 'must be an object, not a list'],
  [z.string().min(1), '', 'must be at least 1 character long, not 0'],
  [KINDS, { kind: SECRET }, 'must be a or b, not a text'],
  [KINDS, {}, 'is missing: a or b'],
  [
    z.record(z.string().regex(/^[a-z]*$/, 'not in small letters'), z.string()),
    { A: SECRET },
    'is not allowed as a name: not in small letters',
  ],
  [
    z.record(z.string().max(2), z.string()),
    { abc: SECRET },
    'is not allowed as a name: must be at most 2 characters long, not 3',
  ],
  [z.tuple([z.number(), z.number()]), { max: 1 }, 'must be a list, not an object'],
  [z.bigint(), SECRET, 'must be a whole number, not a text'],
  [z.number(), 5n, 'must be a number, not 5'],
  [z.nan(), 5, 'must be no number, not 5'],
  [z.undefined(), 5, 'must be left out, not 5'],
  [z.date(), SECRET, 'must be a date, not a text'],
  [z.string(), new Date(0), 'must be a text, not a date'],
  [z.map(z.string(), z.string()), {}, 'must be a map, not an object'],
  [z.set(z.string()), [], 'must be a set, not a list'],
  [z.never(), SECRET, 'must be left out, not a text'],
  [z.string().refine(() => false), SECRET, 'cannot be a text'],
  [z.string().refine(() => false, 'it is spoken for'), SECRET, 'it is spoken for'],
])('what is wrong is told in our words, and no text is quoted (case %#)', (schema, value, words) => {
  const said = schema.safeParse(value, IN_OUR_WORDS).error?.issues[0]?.message ?? '';
  expect(said).toBe(words);
  expect(said).not.toMatch(OF_ZOD);
  expect(said).not.toContain(SECRET);
});

test.each([
  [1e308, 'at most 20'],
  [-1e308, 'at least 1'],
  [21, 'at most 20'],
])('of the bounds that %d is beyond, the narrowest is told', (number, words) => {
  const schema = z.object({ depth: z.number().int().min(1).max(20) });
  expect(() => parseInput(schema, { depth: number })).toThrow(`depth must be ${words}`);
});

test('a member that a person has given is named and quoted', () => {
  const { error } = z.object({ n: z.number() }).safeParse({ n: 'abc' }, { reportInput: true });
  const [issue] = error?.issues ?? [];
  expect(issue === undefined ? '' : wordIssue(issue, '--n')).toBe('--n must be a number, not "abc"');
});

test('of the forms of an object the one that is named is told, and quoted where it may be', () => {
  const { error } = KINDS.safeParse({ kind: 'c' }, { reportInput: true });
  const [issue] = error?.issues ?? [];
  expect(issue === undefined ? '' : wordIssue(issue, '--kind')).toBe('--kind must be a or b, not "c"');
  expect(issue === undefined ? '' : wordIssue(issue, '--kind', false)).toBe('--kind must be a or b, not "c"');
});

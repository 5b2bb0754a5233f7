import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { memberOf, readJsonDocument } from '../../src/kernel/json/json-document.js';
import { scanJson } from '../../src/kernel/json/json-scanner.js';
import { textOfJson } from '../../src/kernel/json/json-text.js';
import { isSameTree, textOfTree, treeOfValue, valueOfTree } from '../../src/kernel/json/json-tree.js';
import { isExactNumber, isSameJsonValue, numberFromText } from '../../src/kernel/json/json-value.js';
import type { PlanError } from '../../src/kernel/errors.js';
import { scale } from '../faults/support/scale.js';

function outcomeOf(read: () => unknown): { value: unknown } | 'refused' {
  try {
    return { value: read() };
  } catch {
    return 'refused';
  }
}

/** Text that is JSON but for a character or two, so that the edges of the grammar are met. */
const nearlyJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom('', ',', '"', '\\', '0', '.', '-', 'e', '{', ']', '\u0001', '\t', 'n', '\u00a0'),
  )
  .map(([json, at, sign]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + sign + json.slice(place + (at % 2));
  });

describe('reading JSON', () => {
  test.each([fc.json(), nearlyJson, fc.string()])(
    'agrees with JSON.parse on what is JSON and what it says (%#)',
    (texts) => {
      fc.assert(
        fc.property(texts, (text) => {
          const mine = scanJson(text, 500);
          const said = 'root' in mine ? { value: JSON.parse(textOfTree(mine.root)) as unknown } : 'refused';
          expect(said).toEqual(outcomeOf(() => JSON.parse(text)));
        }),
        { numRuns: scale(500, 200) },
      );
    },
  );

  test('keeps the order of keys, keys that occur twice, __proto__, and the text of numbers', () => {
    const text =
      '{"z":1.0,"10":18446744073709551615,"2":-0,"a":1e3,"a":-9223372036854775808,"__proto__":{"x":1}}';
    expect(textOfTree(readJsonDocument(text).root)).toBe(text);
    const value = valueOfTree(readJsonDocument(text).root);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(textOfJson(value)).toContain('"a":-9223372036854775808');
    expect(textOfJson(value)).toContain('"__proto__":{"x":1}');
  });

  test('gives every node and key its exact place', () => {
    const text = '{\n  "é": [true,\r\n   "x"],\r\n  "n": 1.50\n}';
    const document = readJsonDocument(text);
    expect(document.positionAt('/é/1')).toEqual({ line: 3, column: 4 });
    expect(document.positionAt('/n')).toEqual({ line: 4, column: 8 });
    expect(document.positionAt('/é/7/x')).toEqual({ line: 2, column: 8 });
    const node = memberOf(document.root, 'n');
    expect(node).toMatchObject({ kind: 'number', text: '1.50' });
    expect(text.slice(node?.start, node?.end)).toBe('1.50');
    expect(document.at('/é/01')).toBeNull();
    expect(document.at('/constructor')).toBeNull();
  });

  test.each([
    ['{"a": }', 1, 7, 'expected a value'],
    ['{"a": 1,}', 1, 9, 'expected a key in double quotes'],
    ['[1,\n 2', 2, 3, 'expected a comma or ], but the text ends'],
    ['{"a":1}\n x', 2, 2, 'expected the end'],
    ['["a\tb"]', 1, 4, 'a control character'],
    ['["a\\x"]', 1, 4, 'no such escape'],
    ['["abc', 1, 2, 'has no end'],
    ['', 1, 1, 'expected a value, but the text ends'],
    ['[01]', 1, 3, 'expected a comma or ]'],
    ['['.repeat(600), 1, 501, 'nested too deep'],
  ])('says where %j is no JSON', (text, line, column, message) => {
    const error = errorOf(() => readJsonDocument(text));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toContain(`line ${line}, column ${column}: `);
    expect(error.message).toContain(message);
  });

  test('passes over a byte order mark', () => {
    expect(readJsonDocument('\uFEFF[1]').positionAt('/0')).toEqual({ line: 1, column: 2 });
  });

  test('a text full of quotes and backslashes takes no longer than its length allows', () => {
    const hostile = `["${'\\\\'.repeat(200_000)}","${'\\"'.repeat(200_000)}"]`;
    expect(readJsonDocument(hostile).at('/1')).toMatchObject({ kind: 'string' });
  });
});

describe('numbers', () => {
  test.each([
    '1.0',
    '-0',
    '1e3',
    '0.10',
    '9007199254740993',
    '18446744073709551615',
    '1e400',
    '100000000000000000000000',
  ])('%s keeps its text', (text) => {
    const number = numberFromText(text);
    expect(isExactNumber(number)).toBe(true);
    expect(String(number)).toBe(text);
    expect(textOfJson([number])).toBe(`[${text}]`);
  });

  test.each(['0', '1', '-5', '1.5', '9007199254740991', '1e+21', '1e-7'])('%s is a plain number', (text) => {
    expect(numberFromText(text)).toBe(Number(text));
  });

  test('1 is not 1.0, and 1.0 is 1.0', () => {
    expect(isSameJsonValue(1, numberFromText('1.0'))).toBe(false);
    expect(isSameJsonValue([numberFromText('1.0')], [numberFromText('1.0')])).toBe(true);
    expect(isSameJsonValue(numberFromText('1.0'), numberFromText('1.00'))).toBe(false);
  });
});

test('text of values is laid out as JSON.stringify lays it out', () => {
  const value = { a: [], b: {}, c: [1, { d: 'é\u2028"' }], e: null };
  expect(textOfJson(value, '  ')).toBe(JSON.stringify(value, null, 2));
  expect(textOfJson(value)).toBe(JSON.stringify(value));
});

test('trees are the same only in the same order', () => {
  const tree = (text: string) => readJsonDocument(text).root;
  expect(isSameTree(tree('{"a":1,"b":2}'), tree('{ "a": 1, "b": 2 }'))).toBe(true);
  expect(isSameTree(tree('{"a":1,"b":2}'), tree('{"b":2,"a":1}'))).toBe(false);
  expect(isSameTree(tree('[1]'), tree('[1.0]'))).toBe(false);
  expect(isSameTree(tree('[1]'), tree('[1,1]'))).toBe(false);
  expect(isSameTree(tree('null'), treeOfValue(null))).toBe(true);
});

test('a plan of this repository is read to the byte', () => {
  const text = readFileSync('test/fixtures/plans/complete-example.json', 'utf8');
  expect(`${textOfTree(readJsonDocument(text).root, '  ')}\n`).toBe(
    `${JSON.stringify(JSON.parse(text), null, 2)}\n`,
  );
});

function errorOf(run: () => unknown): PlanError {
  try {
    run();
  } catch (thrown) {
    return thrown as PlanError;
  }
  throw new Error('nothing was thrown');
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  EVERY_REFERENCE,
  followPath,
  foreachSource,
  lexReferences,
  NO_REFERENCE,
  referencesOf,
  referencesWithin,
  wholeReference,
} from '../../src/features/actions/model/references.js';

const shown = (text: string, loopNames: readonly string[] = []) =>
  referencesOf(text, { loopNames }).map(({ kind, name, path }) => [kind, name, ...path].join(' '));

describe('references', () => {
  test.each<[string, string[]]>([
    ['$steps.x.y.0', ['step x y 0']],
    ['$steps.parse-bullets.items', ['step parse-bullets items']],
    ['$vars.notes', ['variable notes']],
    ['${$steps.x.y}', ['step x y']],
    ['${item.text}', ['name item text']],
    ['{{step1.result.balance}}', ['step step1 balance']],
    ['{{ step1.result.balance }}', ['step step1 balance']],
    ['${step1.result.email}', ['step step1 email']],
    ['{{step1.result}}', ['step step1']],
    ['${context.token}', ['context token']],
    ['{{context.user.name}}', ['context user name']],
    ['{{step:de7c51966bd60e95.result.x}}', ['step step:de7c51966bd60e95 x']],
    ['$steps.x.items[0].name', ['step x items 0 name']],
    ['from $steps.a to $steps.b.', ['step a', 'step b']],
    ['see $steps.a.', ['step a']],
    ['a$steps.a-$steps.b', ['step a', 'step b']],
    ['Your balance is ${{step1.result.balance}}', ['step step1 balance']],
    ['{{a.result.x}}{{b.result.y}}', ['step a x', 'step b y']],
  ])('%j refers to %j', (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test.each([
    'SELECT * FROM accounts WHERE user_id = $1',
    'costs $5.00',
    '${}',
    '{{}}',
    '${a b}',
    '${HOME:-/root}',
    '{{#if x}}',
    '$HOME',
    '$steps',
    '$steps.',
    '$vars. x',
    '${unclosed',
    '{{unclosed}',
    '{item.text}',
    'function () { return 1; }',
    `\${${'a'.repeat(2000)}}`,
  ])('%j is text', (text) => {
    expect(lexReferences(text)).toEqual([{ kind: 'text', text, start: 0, end: text.length }]);
  });

  test('braces name loop variables only where the step binds them', () => {
    expect(shown('{item.path} of {index}, {other}', ['item', 'index'])).toEqual([
      'loop item path',
      'loop index',
    ]);
    expect(shown('${item.path} and {{index}}', ['item', 'index'])).toEqual(['loop item path', 'loop index']);
  });

  test('a dialect without references has none', () => {
    expect(
      referencesOf('$steps.a ${b.result} {{c.result}} {d}', { syntax: NO_REFERENCE, loopNames: ['d'] }),
    ).toEqual([]);
  });

  test('where a reference without braces is a whole string, one with text beside it is text', () => {
    const syntax = { ...EVERY_REFERENCE, dollar: 'whole' } as const;
    for (const text of ['$steps.a.b', '${$steps.a.b}', 'x ${$steps.a.b} y'])
      expect(referencesOf(text, { syntax }).map(({ name }) => name)).toEqual(['a']);
    for (const text of ['x $steps.a.b', '$steps.a.b y', ' $vars.x', '$steps.a.b.', '$steps.a$steps.b'])
      expect(referencesOf(text, { syntax })).toEqual([]);
  });

  test('the parts put together are the text, with exact offsets, whatever the text', () => {
    const bits = fc.constantFrom(
      '$',
      '{',
      '}',
      '{{',
      '}}',
      '${',
      '$steps.',
      '$vars.a',
      'a',
      '.',
      '-',
      'result',
      ' ',
      '0',
      '[0]',
      '💡',
      'context.',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 30 }), (chosen) => {
        const text = chosen.join('');
        let offset = 0;
        for (const part of lexReferences(text, { loopNames: ['a'] })) {
          const { start, end, text: written } = part.kind === 'text' ? part : part.reference;
          expect(start).toBe(offset);
          expect(text.slice(start, end)).toBe(written);
          offset = end;
        }
        expect(offset).toBe(text.length);
      }),
    );
  });

  test('a string that is one whole reference is told from one with text beside it', () => {
    expect(wholeReference('$steps.a.b')?.name).toBe('a');
    expect(wholeReference('{{ a.result }}')?.name).toBe('a');
    expect(wholeReference('$steps.a.b!')).toBeNull();
    expect(wholeReference('')).toBeNull();
  });

  test('a foreach goes over a reference or a bare name', () => {
    expect(foreachSource('files')).toMatchObject({ kind: 'name', name: 'files', path: [] });
    expect(foreachSource('$steps.list.items')).toMatchObject({ kind: 'step', name: 'list', path: ['items'] });
    expect(foreachSource('two words')).toBeNull();
  });

  test('every string of a value is searched, and its place given', () => {
    const found = referencesWithin({ a: ['x', '$steps.s.t'], 'b/c': '${context.k}', n: 1 });
    expect(found.map(({ pointer, reference }) => [pointer, reference.name])).toEqual([
      ['/a/1', 's'],
      ['/b~1c', 'k'],
    ]);
  });

  test('a path goes through own properties and list indices alone', () => {
    const value = { list: [{ x: 1 }], text: 'abc', ['__proto__']: 1 };
    expect(followPath(value, ['list', '0', 'x'])).toEqual({ found: 1 });
    for (const key of ['toString', '__proto__', 'constructor', 'prototype']) {
      expect(followPath(value, [key])).toEqual({ missing: key });
    }
    expect(followPath(value, ['list', 'length'])).toEqual({ missing: 'length' });
    expect(followPath(value, ['list', '00'])).toEqual({ missing: '00' });
    expect(followPath(value, ['text', '0'])).toEqual({ missing: '0' });
    const own: unknown = JSON.parse('{"constructor": 1}');
    expect(followPath(own as { constructor: number }, ['constructor'])).toEqual({ missing: 'constructor' });
  });

  test('text full of open braces is read in linear time', () => {
    expect(lexReferences('${'.repeat(200_000))).toHaveLength(1);
  });
});

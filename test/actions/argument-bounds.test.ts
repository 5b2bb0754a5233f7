import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { readJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import {
  compileArguments,
  createArgumentChecker,
  schemaProblem,
} from '../../src/features/actions/tools/argument-checker.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    return thrown;
  }
}

type Schema = Readonly<Record<string, unknown>>;

const tool = (inputSchema: Schema) => ({ name: 'grow', description: '', inputSchema });
const findingsOf = (schema: Schema, args: JsonObject) =>
  createArgumentChecker([tool(schema)])({ schema_version: '1.0', steps: [{ id: 'a', tool: 'grow', args }] });

/** Parts that each refer to the next one twice, in a keyword. */
function doubling(wrap: (next: Schema) => Schema, place = '$defs', levels = 40): Schema {
  const parts: [string, unknown][] = Array.from({ length: levels }, (_, index) => [
    `a${index}`,
    wrap({ $ref: `#/${place}/a${index + 1}` }),
  ]);
  return { $ref: `#/${place}/a0`, [place]: Object.fromEntries([...parts, [`a${levels}`, false]]) };
}

const DEEP: JsonObject = Array.from({ length: 60 }).reduce<JsonObject>((inner) => ({ x: inner }), {
  x: 1,
});

describe('a schema whose work doubles level by level is refused', () => {
  test.each<[string, Schema, JsonObject]>([
    ['anyOf', doubling((next) => ({ anyOf: [next, next] })), {}],
    ['allOf and not', doubling((next) => ({ allOf: [{ not: next }, { not: next }] })), {}],
    ['if', doubling((next) => ({ if: next, else: next })), {}],
    ['dependentSchemas', doubling((next) => ({ dependentSchemas: { a: next, b: next } })), { a: 1, b: 2 }],
    [
      'draft 7',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        ...doubling((next) => ({ anyOf: [next, next] }), 'definitions'),
      },
      {},
    ],
    ['parts in a place of their own', doubling((next) => ({ anyOf: [next, next] }), 'mine'), {}],
    [
      'a dynamic reference',
      {
        $dynamicAnchor: 'node',
        properties: { x: { anyOf: [{ $dynamicRef: '#node' }, { $dynamicRef: '#node' }] } },
        not: { required: ['z'], minProperties: 9 },
        required: ['z'],
      },
      DEEP,
    ],
    [
      'itself, by the depth of the arguments',
      {
        properties: { x: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } },
        required: ['z'],
      },
      DEEP,
    ],
  ])('%s', (_name, schema, args) => {
    expect(errorOf(() => findingsOf(schema, args))).toMatchObject({
      code: 'INVALID_INPUT',
      message:
        'the schema of the tool "grow" cannot be used: checking a value against it takes more than 1,000,000 steps',
      details: { tool: 'grow' },
    });
  });

  test('when a tool is called, and for what a tool gives', () => {
    const schema = doubling((next) => ({ anyOf: [next, next] }));
    expect(compileArguments(tool(schema))({})).toContain('1,000,000 steps');
    expect(schemaProblem(schema as JsonObject, {})).toContain('1,000,000 steps');
  });

  test.each<[string, Schema]>([
    ['itself', { $ref: '#' }],
    ['itself beside more', { type: 'object', $ref: '#' }],
    ['itself in all of it', { allOf: [{ $ref: '#' }] }],
    ['itself in a part', { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } }],
  ])('so is one that leads back to %s without end', (_name, schema) => {
    expect(errorOf(() => findingsOf(schema, {}))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { tool: 'grow' },
    });
    expect(compileArguments(tool(schema))({})).toContain('"grow" cannot be used');
    expect(schemaProblem(schema as JsonObject, {})).toContain('cannot be used');
  });
});

describe('a schema is used', () => {
  test('that leads back to itself with the depth of the arguments', () => {
    const tree: Schema = {
      type: 'object',
      properties: { value: { type: 'number' }, below: { type: 'array', items: { $ref: '#' } } },
      required: ['value'],
      additionalProperties: false,
    };
    let args: JsonObject = { value: 1 };
    for (let depth = 0; depth < 100; depth += 1) args = { value: depth, below: [args, { value: 2 }] };
    expect(findingsOf(tree, args)).toEqual([]);
    expect(findingsOf(tree, { below: [args, { value: 'x' }] })).toHaveLength(2);
  });

  test('that is large, for large arguments', () => {
    const { $id: _id, ...metaSchema } = readJsonSync(
      'node_modules/ajv/dist/refs/json-schema-draft-07.json',
    ) as Schema;
    const published = readJsonSync('schemas/action-plan-v1.schema.json') as JsonObject;
    expect(findingsOf(metaSchema, published)).toEqual([]);
    const members = Array.from({ length: 2000 }, (_, index) => `member${index}`);
    const wide: Schema = {
      type: 'object',
      properties: Object.fromEntries(
        members.map((name, index) => [
          name,
          index % 2 === 0 ? { enum: members } : { anyOf: [{ type: 'null' }, { $ref: '#/$defs/text' }] },
        ]),
      ),
      required: members,
      additionalProperties: false,
      $defs: { text: { type: 'string', pattern: '^[a-z0-9]+$', maxLength: 20 } },
    };
    expect(findingsOf(wide, Object.fromEntries(members.map((name) => [name, name])))).toEqual([]);
    const rows: Schema = {
      properties: {
        rows: {
          type: 'array',
          uniqueItems: true,
          items: {
            type: 'object',
            properties: { id: { type: 'integer' }, name: { type: 'string', minLength: 1 } },
            required: ['id', 'name'],
            additionalProperties: false,
          },
        },
      },
    };
    const many = Array.from({ length: 3000 }, (_, id) => ({ id, name: `row ${id}` }));
    expect(findingsOf(rows, { rows: many })).toEqual([]);
  });

  test('as it would be without counting', () => {
    const values = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonObject>;
    const part = fc.constantFrom<Schema | boolean>(
      { type: 'string', minLength: 2 },
      { type: ['object', 'null'], required: ['a'] },
      { enum: [1, 'a', null, [], {}] },
      { $ref: '#/$defs/list' },
      { not: { type: 'number' } },
      { properties: { a: { $ref: '#' } }, unevaluatedProperties: { type: 'boolean' } },
      false,
      true,
    );
    const schemas = fc.record({
      $defs: fc.constant({
        list: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/any' } },
        any: {},
      }),
      anyOf: fc.array(part, { minLength: 1, maxLength: 3 }),
      if: part,
      else: part,
      propertyNames: fc.constant({ maxLength: 12 }),
      dependentSchemas: fc.record({ a: part }),
    });
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const plain = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false });
        expect(schemaProblem(schema as JsonObject, value) === null).toBe(plain.validate(schema, value));
      }),
    );
  });
});

describe('a schema that says little and asks for much', () => {
  const many = (count: number, part: (index: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, part(index)]));

  test('is not written out once more for each part that refers to another', () => {
    const big = { properties: many(600, () => ({ type: 'string' })) };
    const schema = { $defs: { big }, properties: many(600, () => ({ $ref: '#/$defs/big' })) };
    expect(findingsOf(schema, { p599: { p599: 'x' } })).toEqual([]);
    expect(findingsOf(schema, { p599: { p599: 1 } })).toMatchObject([{ pointer: '/steps/0/args/p599/p599' }]);
  });

  test.each<[string, Schema, JsonObject]>([
    [
      'a text',
      { properties: { a: { pattern: '(?:a?){900}b(?:[ab][ac]){300}$' } } },
      { a: 'ab'.repeat(300_000) },
    ],
    ['names', { patternProperties: { '(?:a?){900}b(?:[ab][ac]){300}$': {} } }, { ['ab'.repeat(300_000)]: 1 }],
  ])('counts each instruction of a pattern for each character of %s', (_name, schema, args) => {
    expect(errorOf(() => findingsOf(schema, args))).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('more than 1,000,000 steps'),
    });
  });

  test('has no longer lists of parts and of types than are read in bounded time', () => {
    const parts = (length: number) => ({ oneOf: Array.from({ length }, (_, index) => ({ const: index })) });
    const types = Array.from({ length: 8 }, (_, index) => `t${index}`);
    expect(findingsOf({ properties: { a: parts(500) } }, { a: 499 })).toEqual([]);
    for (const [a, message] of [
      [parts(501), 'oneOf has 501 entries, and may have 500'],
      [{ type: types }, 'type has 8 entries, and may have 7'],
    ] as const)
      expect(errorOf(() => findingsOf({ properties: { a } }, { a: 1 }))).toMatchObject({
        code: 'INVALID_INPUT',
        message: `the schema of the tool "grow" cannot be used: ${message}`,
      });
    expect(findingsOf({ properties: { a: { const: { type: types } } } }, { a: { type: types } })).toEqual([]);
  });
});

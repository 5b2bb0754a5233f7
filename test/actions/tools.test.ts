import { describe, expect, test } from 'vitest';

import type { ActionPlan, ActionStep } from '../../src/features/actions/model/action-plan.js';
import { createArgumentChecker } from '../../src/features/actions/tools/argument-checker.js';
import { readTools } from '../../src/features/actions/tools/read-tools.js';
import type { Tool } from '../../src/features/actions/tools/tools-file.js';

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const WRITE = { name: 'fs.write', description: 'Writes a file.', inputSchema: SCHEMA };

describe('a tools file', () => {
  test.each<[string, unknown]>([
    ['its own form', { tools: [{ name: 'fs.write', description: 'Writes a file.', input_schema: SCHEMA }] }],
    ['a bare list', [{ name: 'fs.write', description: 'Writes a file.', input_schema: SCHEMA }]],
    [
      'functions',
      [{ type: 'function', name: 'fs.write', description: 'Writes a file.', parameters: SCHEMA }],
    ],
    [
      'wrapped functions',
      [
        {
          type: 'function',
          function: { name: 'fs.write', description: 'Writes a file.', parameters: SCHEMA },
        },
      ],
    ],
    [
      'what an MCP server lists',
      {
        tools: [
          {
            name: 'fs.write',
            title: 'Write',
            description: 'Writes a file.',
            inputSchema: SCHEMA,
            annotations: {},
          },
        ],
      },
    ],
    [
      'the reply of an MCP server',
      {
        jsonrpc: '2.0',
        id: 1,
        result: { tools: [{ name: 'fs.write', description: 'Writes a file.', inputSchema: SCHEMA }] },
      },
    ],
  ])('may have %s', (_, file) => {
    expect(readTools(JSON.stringify(file), 'tools.json')).toEqual([WRITE]);
  });

  test('may be YAML, and a tool without a schema takes anything', () => {
    expect(
      readTools('tools:\n  - name: note\n  - { name: ping, input_schema: false }\n', 'tools.yaml'),
    ).toEqual([
      { name: 'note', description: '', inputSchema: true },
      { name: 'ping', description: '', inputSchema: false },
    ]);
  });

  test.each([
    ['broken YAML', 'tools:\n  - name: [', 'tools.yaml:2: '],
    ['no tools', 'tools: []', 'not a list of tools'],
    ['something else', '"fs.write"', 'not a list of tools'],
    ['a tool without a name', '[{ description: x }]', 'not a list of tools'],
    ['a name twice', '[{ name: a }, { name: a }]', 'the tool "a" is listed twice'],
  ])('is refused with its name when it holds %s', (_, text, message) => {
    expect(() => readTools(text, 'tools.yaml')).toThrow(message);
    expect(() => readTools(text, 'tools.yaml')).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});

const tool = (inputSchema: Tool['inputSchema']): Tool => ({ name: 't', description: '', inputSchema });
const step = (args: ActionStep['args'], more: Partial<ActionStep> = {}): ActionStep => ({
  id: 's',
  tool: 't',
  args,
  ...more,
});
const found = (schema: Tool['inputSchema'], ...steps: readonly ActionStep[]): readonly string[] =>
  createArgumentChecker([tool(schema)])({ steps: [...steps] } satisfies ActionPlan).map(
    ({ rule, pointer, message }) => `${rule} ${pointer} ${message}`,
  );

describe('the check of arguments', () => {
  test('names each place where an argument is not as its schema asks', () => {
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        mode: { enum: ['a', 'w'] },
        'a/b': { type: 'integer', minimum: 3 },
      },
      required: ['path'],
      additionalProperties: false,
    };
    expect(found(schema, step({ mode: 'x', 'a/b': 2, colour: 'red' }))).toEqual([
      `INVALID_ARGUMENT /steps/0/args t: the arguments must have required property 'path'`,
      'INVALID_ARGUMENT /steps/0/args t: the arguments must NOT have additional properties ("colour")',
      'INVALID_ARGUMENT /steps/0/args/mode t: /mode must be equal to one of the allowed values (["a","w"])',
      'INVALID_ARGUMENT /steps/0/args/a~1b t: /a~1b must be >= 3',
    ]);
    expect(found(schema, step({ path: 'x', mode: 'a', 'a/b': 3 }))).toEqual([]);
  });

  test('looks at fallbacks and nested plans too, and names a tool that is not there', () => {
    const wrong = step({}, { id: 'in', tool: 'other' });
    const outer = step({}, { on_error: { strategy: 'fallback', steps: [wrong] }, plan: { steps: [wrong] } });
    expect(found(true, outer)).toEqual([
      'UNKNOWN_TOOL /steps/0/on_error/steps/0/tool there is no tool "other"; known: t',
      'UNKNOWN_TOOL /steps/0/plan/steps/0/tool there is no tool "other"; known: t',
    ]);
  });

  test('leaves a reference to the run, wherever it stands, and nothing else', () => {
    const schema = {
      properties: {
        count: { type: 'integer' },
        name: { type: 'string', maxLength: 5, pattern: '^[a-z]+$' },
        one: { oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] },
      },
      required: ['count'],
    };
    expect(
      found(schema, step({ count: '$steps.a.count', name: 'x-${context.name}-y', one: ['$vars.n'] })),
    ).toEqual([]);
    const loop = { foreach: { from: '$vars.all', item_name: 'it' } };
    expect(found(schema, step({ count: '{it.count}' }, loop))).toEqual([]);
    expect(found(schema, step({ count: '{it.count}' }))).toHaveLength(1);
    expect(found(schema, step({ name: '$steps.a.b' }))).toEqual([
      `INVALID_ARGUMENT /steps/0/args t: the arguments must have required property 'count'`,
    ]);
  });

  test('reads draft 7 and 2020-12, and references within a schema', () => {
    const draft7 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { n: { type: 'integer' } },
      properties: { pair: { items: [{ $ref: '#/definitions/n' }, { type: 'string' }] } },
    };
    expect(found(draft7, step({ pair: ['x', 'y'] }))).toHaveLength(1);
    const newer = {
      $defs: { n: { type: 'integer' } },
      properties: { pair: { prefixItems: [{ $ref: '#/$defs/n' }] } },
    };
    expect(found(newer, step({ pair: ['x', 'y'] }))).toHaveLength(1);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a reference to another document', { $ref: 'https://example.com/schema.json' }],
    ['a reference to nowhere', { $ref: '#/$defs/none' }],
    ['a keyword of the wrong type', { properties: 7 }],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }],
    ['a pattern that looks ahead', { properties: { a: { pattern: '(?=a)' } } }],
    ['a word that makes checking asynchronous', { $async: true, type: 'object' }],
    ['a dialect that is too old', { $schema: 'http://json-schema.org/draft-04/schema#' }],
  ])('refuses a schema with %s, naming the tool', (_, schema) => {
    expect(() => createArgumentChecker([tool(schema)])).toThrow('the schema of the tool "t" cannot be used');
  });

  test('matches patterns in linear time', () => {
    const schema = { properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '^b$' } } };
    expect(found(schema, step({ a: `${'a'.repeat(50_000)}!`, b: 'a' }))).toHaveLength(2);
    expect(found(schema, step({ a: 'a'.repeat(50_000), b: 'b' }))).toEqual([]);
  });

  test('keeps schemas apart that call themselves the same', () => {
    const one = { $id: 'https://example.com/x', type: 'object', required: ['one'] };
    const two = { $id: 'https://example.com/x', type: 'object', required: ['two'] };
    const check = createArgumentChecker([tool(one), { ...tool(two), name: 'u' }]);
    expect(check({ steps: [step({ one: 1 }), step({ two: 1 }, { id: 'u', tool: 'u' })] })).toEqual([]);
  });
});

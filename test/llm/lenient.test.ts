import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { readReply } from '../../src/llm/reply/read-reply.js';
import { expansionSchema, type Expansion } from '../../src/plan/expansion.js';
import { startModelServer, type Fault, type ModelServer } from '../support/model-server.js';
import { testModel } from '../support/model.js';

const whole: Expansion = expansionSchema.parse({
  reasoning: 'Two parts, "a" & b.',
  atomic: false,
  sub_goals: [
    { description: 'Write a', reasoning: 'One file.', atomic: true, depends_on: [] },
    { description: 'Write b', reasoning: 'Many files.', atomic: false, depends_on: [1] },
  ],
});
const plain = JSON.stringify(whole);
const pretty = JSON.stringify(whole, null, 2);
const python = pretty
  .replaceAll("'", "\\'")
  .replaceAll(/(?<!\\)"/g, "'")
  .replaceAll('true', 'True')
  .replaceAll('false', 'False');

/** Ways in which models are seen to write a reply that is all there. */
const WRITINGS: readonly (readonly [string, string])[] = [
  ['commas before closing brackets', pretty.replaceAll(/(?<=[}\]"\de])\n(?=\s*[}\]])/g, ',\n')],
  ['comments', pretty.replace('{', '{ // the verdict\n').replace('"sub_goals"', '/* parts */ "sub_goals"')],
  ['comments as in Python', pretty.replace('[', '[ # two of them\n')],
  ['single quotes and Python’s literals', python],
  ['names without quotes', plain.replaceAll(/"(\w+)":/g, '$1:')],
  ['booleans as texts', plain.replaceAll(/:(true|false)/g, ':"$1"')],
  ['booleans as texts of Python', plain.replaceAll(':true', ':"True"').replaceAll(':false', ':"False"')],
  ['null for an empty list', plain.replaceAll('"depends_on":[]', '"depends_on":null')],
  ['an object around it', JSON.stringify({ expansion: whole })],
  ['two objects around it', JSON.stringify({ status: 'ok', response: { result: whole } })],
  ['a call around it', JSON.stringify({ name: 'expansion', arguments: plain })],
  ['a list around it', JSON.stringify([whole])],
  ['JSON within JSON', JSON.stringify(plain)],
  ['JSON within JSON within JSON', JSON.stringify(JSON.stringify(plain))],
  ['JSON within JSON in a fence', `\`\`\`json\n${JSON.stringify(plain)}\n\`\`\``],
  ['escaped quotes', JSON.stringify(plain).slice(1, -1)],
  ['a list that is a text', JSON.stringify({ ...whole, sub_goals: JSON.stringify(whole.sub_goals) })],
  [
    'all of it at once',
    `Sure!\n\`\`\`\n{ expansion: ${python.replace('{', '{ # so').replace("'depends_on': []", "'depends_on': None,")},}\n\`\`\`\nDone.`,
  ],
];

const read = (text: string): unknown => {
  const reading = readReply(text, { schema: expansionSchema });
  return reading.kind === 'value' ? reading.value : reading.kind;
};

describe('a reply that is all there', () => {
  it.each(WRITINGS)('is read with %s', (_name, text) => {
    expect(read(text)).toEqual(whole);
  });

  it('is read with line ends and tabs within its texts, which stay', () => {
    expect(read(plain.replace('Two parts', 'Two\nparts\t'))).toMatchObject({
      reasoning: 'Two\nparts\t, "a" & b.',
    });
  });

  it('keeps backslashes that escape nothing', () => {
    expect(read(plain.replace('One file.', String.raw`In C:\docs match \d+`))).toMatchObject({
      sub_goals: [{ reasoning: String.raw`In C:\docs match \d+` }, {}],
    });
  });

  it('keeps names such as __proto__ to itself', () => {
    const schema = z.object({ n: z.int() });
    expect(readReply("{__proto__: {'n': 1}}", { schema })).toMatchObject({ value: { n: 1 } });
    expect(Object.hasOwn(Object.prototype, 'n')).toBe(false);
  });
});

describe('nothing is made up', () => {
  it.each([...WRITINGS, ['as asked', plain] as const])(
    'wherever a reply with %s is cut off, it is no reply',
    (_name, text) => {
      for (let length = 0; length < text.length; length += 1)
        expect([whole, 'invalid']).toContainEqual(read(text.slice(0, length)));
    },
  );

  it.each([
    ['dots for the rest of a list', plain.replace('}]}', '},...]}')],
    ['dots for the rest of an object', plain.replace(/\}$/, ',...}')],
    ['a value that is missing', plain.replace('"depends_on":[1]', '"depends_on":')],
    ['a member that is missing', plain.replace('"depends_on":[1]', '"x":1')],
    ['a quote that is missing', plain.replace('Write b"', 'Write b')],
    ['another word for true', plain.replace(':true', ':"yes"')],
    ['null for a text', plain.replace('"One file."', 'null')],
    ['null for a verdict', plain.replace(':true', ':null')],
    [
      'two whole replies in one object',
      JSON.stringify({ first: whole, second: { ...whole, atomic: false } }),
    ],
    ['the schema in place of an object', JSON.stringify(z.toJSONSchema(expansionSchema))],
  ])('of %s', (_name, text) => {
    expect(read(text)).toBe('invalid');
  });

  it('of any text: what is read is what a strict reader reads of the same values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const schema = z.object({ value: z.json() });
        const text = JSON.stringify({ value });
        const reading = readReply(`${text.slice(0, -1)},}`, { schema });
        expect(reading).toEqual({ kind: 'value', value: schema.parse(JSON.parse(text)), lenient: true });
      }),
    );
  });

  it.each(['{"a":[', '{a:', "{'", '/*', '{/*', '{"\\', '{"a":"{', '"{\\"', '{a:{a:1},', '#{', ' ', '{ '])(
    'and in bounds when it is a million times %j',
    (text) => {
      expect(read(text.repeat(1_000_000))).toBe('invalid');
    },
  );
});

describe('a reply that is all there and not as asked', () => {
  const errorsOf = (text: string) => {
    const reading = readReply(text, { schema: expansionSchema });
    return reading.kind === 'invalid' ? reading.errors : [];
  };
  const SCHEMA_ERROR = ['$.sub_goals[0].reasoning: must be a text, not null'];

  it.each(WRITINGS)('is told what is wrong with it besides %s', (_name, text) => {
    expect(errorsOf(text.replace(/\\*["']One file\.\\*["']/, 'null'))).toEqual(SCHEMA_ERROR);
  });

  it.each([
    ['a bracket', python.replace(/\}$/, '')],
    ['a comma', python.replace("a',", "a'")],
    ['the rest', python.slice(0, -20)],
    ['the rest, after a whole object,', `{n: 1} ${python.slice(0, -20)}`],
  ])('and not of its parts when it lacks %s', (_name, text) => {
    expect(errorsOf(text)).toEqual([expect.stringMatching(/^the reply is not valid JSON: /)]);
  });
});

const servers: ModelServer[] = [];

async function serve(fault: Fault): Promise<ModelServer> {
  const server = await startModelServer({ faults: ({ number }) => (number === 1 ? fault : undefined) });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('no repair is paid for', () => {
  const call = (args: unknown) => ({
    id: 'c1',
    type: 'function',
    function: { name: 'expansion', arguments: args },
  });
  it.each<readonly [string, Fault]>([
    ['Python in place of JSON', { kind: 'content', content: python }],
    ['thoughts that are the reply', message({ content: null, reasoning_content: plain })],
    [
      'thoughts that end with the reply',
      message({ content: '', reasoning: `So: {n}.\n\`\`\`json\n${plain}\n\`\`\`` }),
    ],
    ['a call in place of a reply', message({ content: null, tool_calls: [call(plain)] }, 'tool_calls')],
    ['a call with an object', message({ content: '', tool_calls: [call(whole)] }, 'tool_calls')],
    ['a call of the older kind', message({ content: null, function_call: { arguments: plain } })],
  ])('of %s', async (_name, fault) => {
    const server = await serve(fault);
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'reply', value: whole, usage: { calls: 1 } });
    expect(server.count).toBe(1);
  });

  it('but a draft among thoughts is no reply', async () => {
    const server = await serve(message({ content: null, reasoning_content: `Maybe ${plain}? No, atomic.` }));
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'reply', value: { atomic: true } });
    expect(server.count).toBe(2);
  });

  it('but a reply that is cut off is asked for again', async () => {
    const server = await serve({ kind: 'content', content: python.slice(0, -20), finish_reason: 'length' });
    const { events, expand } = await testModel(server.baseUrl);
    expect(await expand('Build it')).toMatchObject({ kind: 'reply', usage: { calls: 2 } });
    expect(events).toEqual([]);
  });
});

function message(members: Readonly<Record<string, unknown>>, finish_reason = 'stop'): Fault {
  return { kind: 'message', message: { role: 'assistant', ...members }, finish_reason };
}

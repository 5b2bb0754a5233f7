import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { readReply } from '../../src/llm/reply/read-reply.js';

const schema = z.object({ n: z.int(), text: z.string().optional() });
const read = (text: string): unknown => {
  const reading = readReply(text, { schema });
  return reading.kind === 'value' ? reading.value : reading.errors;
};

const check = ({ n }: { n: number }): string[] => (n > 5 ? ['n is too large'] : []);

describe('a reply is read', () => {
  it.each([
    ['plain', '{"n":1}', { n: 1 }],
    ['with blanks around it', ' \n{"n":1}\n ', { n: 1 }],
    ['with a byte order mark', '\uFEFF{"n":1}', { n: 1 }],
    ['in a fence', '```json\n{"n":1}\n```', { n: 1 }],
    ['in a fence without a language', '```\n{"n":1}\n```', { n: 1 }],
    ['in a fence that is not closed', '```json\n{"n":1}', { n: 1 }],
    ['after text', 'Here it is: {"n":1}', { n: 1 }],
    ['before text', '{"n":1} I hope this helps {smile}.', { n: 1 }],
    ['between texts with quotes', `It's "this": {"n":1} – isn't it?`, { n: 1 }],
    ['after a think block', '<think>hm</think>{"n":1}', { n: 1 }],
    ['after a thinking block', '<thinking>\nhm\n</thinking>\n{"n":1}', { n: 1 }],
    ['after a reasoning block', '<reasoning>hm</reasoning> {"n":1}', { n: 1 }],
    ['after tags in capitals', '<THINK>hm</Think>{"n":1}', { n: 1 }],
    ['after a greeting and a think block', 'Well. <think>{"n":7}</think>{"n":1}', { n: 1 }],
    ['after two think blocks', '<think>a</think><think>{"n":7}</think>{"n":1}', { n: 1 }],
    ['after a nested think block', '<think>a<think>b</think> {"n":7} c</think>{"n":1}', { n: 1 }],
    ['after a think block that is not closed', '<think>so: {"n":1}', { n: 1 }],
    ['after a think block that was opened in the prompt', 'hm {"n":7}</think>{"n":1}', { n: 1 }],
    ['after a think block, in a fence', '<think>x</think>\n```json\n{"n":1}\n```', { n: 1 }],
    [
      'with tags of thinking in a string',
      '{"n":1,"text":"<think>a</think>"}',
      { n: 1, text: '<think>a</think>' },
    ],
    ['with such tags in a fence', '```\n{"n":1,"text":"a</think>b"}\n```', { n: 1, text: 'a</think>b' }],
    ['with a fence in a string', '{"n":1,"text":"```json\\n{}```"}', { n: 1, text: '```json\n{}```' }],
    ['with braces in a string', '{"n":1,"text":"}{ \\" }"}', { n: 1, text: '}{ " }' }],
    ['with an escaped backslash before a quote', '{"n":1,"text":"\\\\"} }', { n: 1, text: '\\' }],
    ['when braces of prose come first', 'set {a, {b}} then {"n":1}', { n: 1 }],
    ['when a brace before it is never closed', 'if (x) { then {"n":1}', { n: 1 }],
    ['as the last of several', '{"n":1} no, rather {"n":2}', { n: 2 }],
    ['as the one that satisfies, before one that does not', '{"n":1} {"m":2}', { n: 1 }],
    ['as the one that satisfies, after one that does not', '{"m":1} {"n":2}', { n: 2 }],
    ['as the only element of a list', '[{"n":1}]', { n: 1 }],
    ['without the keys it should not have', '{"n":1,"m":{"deep":true}}', { n: 1 }],
    ['with text outside the basic plane', '{"n":1,"text":"𝛑 😀"}', { n: 1, text: '𝛑 😀' }],
  ])('%s', (_name, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ['no object', 'I cannot do that.', /no JSON object/],
    ['an empty text', '', /no JSON object/],
    ['a number as a string', '{"n":"1"}', /^\$\.n: must be a number, not a text$/],
    ['a missing key', '{}', /^\$\.n: /],
    ['a fraction', '{"n":1.5}', /^\$\.n: /],
    ['an object that is cut off', '{"n":1,"text":"ab', /not valid JSON/],
    ['a comma that is missing', '{"n":1 "text":"a"}', /not valid JSON/],
    ['a list that is cut short by dots', '{"n":1,...}', /not valid JSON/],
    ['a draft in the thoughts and nothing after', '<think>{"n":1}</think>sorry', /no JSON object/],
    ['a draft in thoughts that were cut off', '<think>maybe {"n":1} but wait, let me', /no JSON object/],
    ['a good draft and a bad reply', '<think>{"n":1}</think>{"n":"x"}', /^\$\.n: /],
  ])('strictly: %s is an error', (_name, text, error) => {
    expect(read(text)).toEqual([expect.stringMatching(error)]);
  });

  it('with the errors of a check beside those of the schema', () => {
    expect(readReply('{"n":9}', { schema, check })).toEqual({ kind: 'invalid', errors: ['n is too large'] });
    expect(readReply('{"n":3} {"n":9}', { schema, check })).toEqual({ kind: 'value', value: { n: 3 } });
  });

  it('with a path to every error in a nested value', () => {
    const nested = z.object({ list: z.array(z.object({ n: z.int() })) });
    const reading = readReply('{"list":[{"n":1},{"n":null}]}', { schema: nested });
    expect(reading).toMatchObject({
      kind: 'invalid',
      errors: [expect.stringMatching(/^\$\.list\[1\]\.n: /)],
    });
  });

  it.each(['{', '{"', '<think>', '<think></think>', '{}', '"', '</think>'])(
    'within bounds when it is a million times %s',
    (text) => {
      expect(readReply(text.repeat(1_000_000), { schema }).kind).toBe('invalid');
    },
  );
});

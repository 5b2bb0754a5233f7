import { calcPrice } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { backoffMs } from '../../src/llm/backoff.js';
import { strictJsonSchema } from '../../src/llm/json-schema.js';
import { lookUpModel } from '../../src/llm/spend/prices.js';
import { countTokens, exceedsTokens, mostTokens } from '../../src/llm/spend/tokens.js';
import { expansionSchema } from '../../src/plan/expansion.js';

describe('counting tokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['hello world '.repeat(1000), 2001],
  ])('of %j gives the tokenizer’s count', async (text, tokens) => {
    expect(await countTokens(text)).toBe(tokens);
  });

  it.each([
    ['a', 10],
    [' ', 1],
    ['\n', 1],
    ['-', 1],
    ['漢', 1],
    ['😀', 1],
    ['\ud800', 1],
    ['aB', 1],
    ['word ', 1],
  ])(
    // What takes the square of a length would take hours for one megabyte as well.
    'ends for megabytes of %j (%j), at no more than its bytes',
    async (text, megabytes) => {
      const long = text.repeat(Math.ceil((megabytes * 1_000_000) / mostTokens(text)));
      const tokens = await countTokens(long);
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(mostTokens(long));
    },
  );

  it('compares with a limit', async () => {
    expect(await exceedsTokens('hello world', 11)).toBe(false);
    expect(await exceedsTokens('hello world', 2)).toBe(false);
    expect(await exceedsTokens('hello world', 1)).toBe(true);
  });
});

describe('what is known of a model', () => {
  it('comes from the bundled table for a server it knows', async () => {
    const { costOf, contextTokens } = await lookUpModel('gpt-4o-mini', 'https://api.openai.com/v1');
    expect(costOf(1_000_000, 1_000_000)).toBeGreaterThan(0);
    expect(contextTokens).toBe(128_000);
  });

  it.each([
    ['gpt-4o-mini', 'http://127.0.0.1:8080/v1'],
    ['no-such-model', 'https://api.openai.com/v1'],
    ['toString', 'https://api.openai.com/v1'],
  ])('is no price for %s at %s', async (model, url) => {
    const { costOf } = await lookUpModel(model, url, { own: { other: { input: 1, output: 1 } } });
    expect(costOf(1, 1)).toBeNull();
  });

  it.each([
    ['gpt-4o-mini', 'https://api.openai.com/v1'],
    ['gpt-4o-2024-08-06', 'https://api.openai.com/v1'],
    ['gpt-5', 'https://api.openai.com/v1'],
    ['claude-sonnet-4-20250514', 'https://api.anthropic.com/v1'],
    ['gemini-2.5-pro', 'https://generativelanguage.googleapis.com/v1beta/openai'],
    ['deepseek-chat', 'https://api.deepseek.com/v1'],
    ['llama-3.3-70b-versatile', 'https://api.groq.com/openai/v1'],
    ['openai/gpt-4o-mini', 'https://openrouter.ai/api/v1'],
    ['grok-4', 'https://api.x.ai/v1'],
  ])('is what the table itself says of %s at %s, however many tokens', async (model, url) => {
    const { costOf } = await lookUpModel(model, url);
    for (const [input_tokens, output_tokens] of [
      [0, 0],
      [1000, 100],
      [128_001, 5000],
      [250_000, 64_000],
    ] as const) {
      const price = calcPrice({ input_tokens, output_tokens }, model, { providerApiUrl: url });
      expect(price?.total_price).toEqual(expect.any(Number));
      expect(costOf(input_tokens, output_tokens)).toBe(price?.total_price);
    }
  });

  it('comes from the config before the table', async () => {
    const own = { 'gpt-4o-mini': { input: 1, output: 2 } };
    const { costOf } = await lookUpModel('gpt-4o-mini', 'https://api.openai.com/v1', { own });
    expect(costOf(1_000_000, 1_000_000)).toBe(3);
  });

  it('is raised by a repository, and never lowered', async () => {
    const cost = async (own: object, project: object) => {
      const prices = { own: { ...own }, project: { ...project } };
      const { costOf } = await lookUpModel('gpt-4o-mini', 'https://api.openai.com/v1', prices);
      return costOf(1_000_000, 1_000_000);
    };
    const table = await cost({}, {});
    const [low, high] = [
      { 'gpt-4o-mini': { input: 0, output: 0 } },
      { 'gpt-4o-mini': { input: 40, output: 2 } },
    ];
    expect(await cost({}, low)).toBe(table);
    expect(await cost({}, high)).toBe(42);
    expect(await cost(low, {})).toBe(0);
    expect(await cost(low, high)).toBe(42);
    expect(await cost(high, low)).toBe(42);
  });

  it('stays unknown, whatever a repository says', async () => {
    const project = { mine: { input: 0, output: 0 } };
    const { costOf } = await lookUpModel('mine', 'http://127.0.0.1:8080/v1', { project });
    expect(costOf(1, 1)).toBeNull();
  });
});

describe('a strict JSON Schema', () => {
  it('closes every object and requires every property', () => {
    expect(strictJsonSchema(expansionSchema)).toMatchObject({
      additionalProperties: false,
      required: ['reasoning', 'atomic', 'decisions', 'sub_goals'],
      properties: {
        sub_goals: {
          items: {
            additionalProperties: false,
            required: ['description', 'reasoning', 'atomic', 'acceptance', 'size', 'touches', 'depends_on'],
            properties: {
              acceptance: { type: 'array', items: { type: 'string' } },
              size: { type: 'string', enum: ['S', 'M', 'L'] },
              depends_on: { items: { type: 'integer' } },
            },
          },
        },
      },
    });
  });

  it('asks for the reasons before each verdict, in the order in which strict output is written', () => {
    const text = JSON.stringify(strictJsonSchema(expansionSchema));
    const places = [...text.matchAll(/"(reasoning|atomic|sub_goals|description|size)":\{"/g)];
    expect(places.map(([, name]) => name)).toEqual(
      'reasoning atomic sub_goals description reasoning atomic size'.split(' '),
    );
    expect(text).not.toContain('"null"');
    expect(text).not.toContain('"default"');
  });

  it('leaves out what strict mode does not take', () => {
    const schema = z.looseObject({
      a: z
        .string()
        .min(1)
        .meta({ title: 'A', examples: ['x'] }),
      b: z.string().optional(),
    });
    expect(strictJsonSchema(schema.meta({ title: 'T' }))).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    });
  });
});

describe('the backoff', () => {
  it('lies between nothing and its doubling bound', () => {
    expect([0, 1, 2, 10].map((retry) => backoffMs(retry, () => 0))).toEqual([0, 0, 0, 0]);
    expect([0, 1, 2, 10].map((retry) => backoffMs(retry, () => 1))).toEqual([500, 1000, 2000, 30_000]);
  });
});

import { afterEach, describe, expect, it } from 'vitest';

import { startModelServer, type Fault, type ModelServer, type SeenRequest } from '../support/model-server.js';
import { testModel, type TestModelOptions } from '../support/model.js';

const servers: ModelServer[] = [];

async function asking(
  faults: (request: SeenRequest) => Fault | undefined,
  options: TestModelOptions = {},
  usage?: (request: SeenRequest) => unknown,
) {
  const server = await startModelServer({ faults, ...(usage === undefined ? {} : { usage }) });
  servers.push(server);
  return { server, ...(await testModel(server.baseUrl, options)) };
}

const refusal = (message: string, status = 400, more: object = {}): Fault => ({
  kind: 'status',
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } },
});
const asked = ({ body }: SeenRequest) => Number(body['max_tokens']);
const limits = ({ requests }: ModelServer) => requests.map(asked);

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('a max_tokens that is too large is lowered, once for all questions:', () => {
  it.each([
    [
      'OpenAI',
      2048,
      'max_tokens is too large: 4096. This model supports at most 2048 completion tokens, whereas you provided 4096.',
    ],
    [
      'Groq',
      2048,
      '`max_tokens` must be less than or equal to `2048`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    ],
    ['DeepSeek', 2048, 'Invalid max_tokens value, the valid range of max_tokens is [1, 2048]'],
    ['DashScope', 2048, '<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 2048]'],
    [
      'Anthropic',
      2048,
      'max_tokens: 4096 > 2048, which is the maximum allowed number of output tokens for m',
    ],
    [
      'Gemini',
      2048,
      'Unable to submit request because it has a maxOutputTokens value of 4096 but the supported range is from 1 (inclusive) to 2049 (exclusive).',
    ],
    [
      'Bedrock',
      2048,
      'The maximum tokens you requested exceeds the model limit of 2,048. Try again with a lower value.',
    ],
    ['one that names no number', 2048, 'max_tokens is too high for this model'],
  ])('%s', async (_name, most, message) => {
    const { server, expand, waits } = await asking((request) =>
      asked(request) > most ? refusal(message, 400, { param: 'max_tokens' }) : undefined,
    );
    expect(await expand('One')).toMatchObject({ kind: 'reply', usage: { calls: 2 } });
    expect(await expand('Two')).toMatchObject({ kind: 'reply', usage: { calls: 1 } });
    expect(limits(server)).toEqual([4096, most, most]);
    expect(waits).toEqual([]);
  });

  it('a server that names no number is asked for half of it, and half again, but not for ever', async () => {
    const { server, expand } = await asking(() => refusal('max_tokens is too large'));
    expect((await expand('One')).kind).toBe('unavailable');
    expect(limits(server).slice(0, 5)).toEqual([4096, 2048, 1024, 512, 256]);
    expect(server.count).toBeLessThan(9);
  });
});

describe('a context window is learnt from a refusal:', () => {
  it.each([
    [
      'vLLM',
      400,
      "This model's maximum context length is 2048 tokens. However, you requested 4500 tokens (404 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.",
    ],
    [
      'vLLM now',
      400,
      "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 2048 tokens and your request has 404 input tokens (4096 > 2048 - 404). None",
    ],
    [
      'Anthropic',
      400,
      'input length and `max_tokens` exceed context limit: 404 + 4096 > 2048, decrease input length or `max_tokens` and try again',
    ],
    [
      'Together',
      422,
      '`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 404 `inputs` tokens and 4096 `max_new_tokens`',
    ],
    [
      'Groq',
      413,
      'Request too large for model `m` on tokens per minute (TPM): Limit 2048, Requested 4500, please reduce your message size and try again.',
    ],
    [
      'OpenAI',
      429,
      'Request too large for m in organization o on tokens per min (TPM): Limit 2048, Requested 4500. The input or output tokens must be reduced in order to run successfully.',
    ],
  ])('%s', async (_name, status, message) => {
    const { server, expand, waits } = await asking((request) =>
      asked(request) > 2000 ? refusal(message, status) : undefined,
    );
    expect((await expand('One')).kind).toBe('reply');
    expect(await expand('Two')).toMatchObject({ kind: 'reply', usage: { calls: 1 } });
    expect(server.count).toBe(3);
    expect(limits(server)[1]).toBeGreaterThan(1000);
    expect(limits(server)[1]).toBeLessThan(2048);
    expect(waits).toEqual([]);
    // Known by now, so that nothing is sent that cannot fit.
    expect(await expand('word '.repeat(5000))).toMatchObject({ kind: 'rejected', code: 'cut_off' });
    expect(server.count).toBe(3);
  });
});

describe('a model that thinks', () => {
  const thoughts = 'Hm. '.repeat(50);
  const spent: readonly (readonly [string, Fault, unknown])[] = [
    [
      'OpenAI reports them',
      { kind: 'message', message: { content: '' }, finish_reason: 'length' },
      { prompt_tokens: 90, completion_tokens: 4096, completion_tokens_details: { reasoning_tokens: 4096 } },
    ],
    [
      'Gemini counts them in the total alone',
      { kind: 'message', message: {}, finish_reason: 'length' },
      { prompt_tokens: 90, completion_tokens: 0, total_tokens: 4186 },
    ],
    [
      'DeepSeek shows them',
      { kind: 'message', message: { content: '', reasoning_content: thoughts }, finish_reason: 'length' },
      undefined,
    ],
    [
      'OpenRouter and Ollama show them',
      { kind: 'message', message: { content: null, reasoning: thoughts }, finish_reason: 'length' },
      undefined,
    ],
    [
      'llama.cpp has them in the reply',
      { kind: 'content', content: `<think>${thoughts}`, finish_reason: 'length' },
      undefined,
    ],
    [
      'the reply had just begun',
      { kind: 'content', content: '{"atomic"', finish_reason: 'length' },
      { prompt_tokens: 90, completion_tokens: 4096, completion_tokens_details: { reasoning_tokens: 4000 } },
    ],
  ];

  it.each(spent)(
    'and spends its reply on thoughts is given more room, not asked for less: %s',
    async (_name, fault, usage) => {
      const { server, expand } = await asking(
        (request) => (asked(request) === 4096 ? fault : undefined),
        {},
        (request) =>
          asked(request) === 4096 && usage !== undefined
            ? usage
            : { prompt_tokens: 90, completion_tokens: 20 },
      );
      expect(await expand('One')).toMatchObject({ kind: 'reply', usage: { calls: 2 } });
      expect(await expand('Two')).toMatchObject({ kind: 'reply', usage: { calls: 1 } });
      expect(limits(server)).toEqual([4096, 16_384, 16_384]);
      expect(server.requests[1]?.user).toBe(server.requests[0]?.user);
    },
  );

  it('and never ends is rejected with what helps', async () => {
    const { server, expand } = await asking(() => spent[2]?.[1]);
    expect(await expand('One')).toMatchObject({
      kind: 'rejected',
      code: 'cut_off',
      reason: expect.stringContaining('max_output_tokens'),
    });
    expect(limits(server)).toEqual([4096, 16_384, 65_536]);
  });

  it.each([
    [{ tokens: 30_000 }, 'tokens'],
    [{ usd: 0.03 }, 'usd'],
  ] as const)('gets no less room than did not do: the budget %j ends it', async (budget, limit) => {
    const { server, expand } = await asking(
      () => spent[2]?.[1],
      { budget, prices: { own: { 'test-model': { input: 1, output: 1 } } } },
      (request) => ({ prompt_tokens: 90, completion_tokens: asked(request) }),
    );
    expect(await expand('One')).toMatchObject({ kind: 'budget', limit });
    expect(limits(server)).toEqual([4096, 16_384]);
  });

  it('gets no less room than did not do: a context window without more ends it', async () => {
    const { server, expand } = await asking(() => spent[2]?.[1], { contextTokens: 8000 });
    expect(await expand('One')).toMatchObject({
      kind: 'rejected',
      code: 'cut_off',
      reason: expect.stringContaining('context of 8000'),
    });
    const asked = limits(server);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(1);
  });

  it('gets no more room than its server gives', async () => {
    const { server, expand } = await asking((request) =>
      asked(request) > 5000
        ? refusal('max_tokens is too large: 16384. This model supports at most 5000 completion tokens')
        : asked(request) === 4096
          ? spent[2]?.[1]
          : undefined,
    );
    expect((await expand('One')).kind).toBe('reply');
    expect(limits(server)).toEqual([4096, 16_384, 5000]);
  });

  it('and writes too long a reply is asked for less', async () => {
    const { server, expand } = await asking(({ number }) =>
      number === 1
        ? {
            kind: 'message',
            message: { content: '{"atomic"', reasoning_content: 'Hm.' },
            finish_reason: 'length',
          }
        : undefined,
    );
    expect((await expand('One')).kind).toBe('reply');
    expect(limits(server)).toEqual([4096, 4096]);
    expect(server.requests[1]?.user).toContain('Be brief.');
  });
});

describe('a role that a model does not have', () => {
  it.each([
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: 'System role not supported',
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    ],
    [
      'llama.cpp',
      500,
      { error: { code: 500, message: 'Jinja Exception: System role not supported', type: 'server_error' } },
    ],
    [
      'Gemini',
      400,
      [
        {
          error: {
            code: 400,
            message: 'Developer instruction is not enabled for models/gemma-3-4b-it',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    [
      'OpenAI',
      400,
      {
        error: {
          message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
          param: 'messages[0].role',
          code: 'unsupported_value',
        },
      },
    ],
    [
      'Mistral',
      400,
      { object: 'error', message: 'Conversation roles must alternate user/assistant/user/assistant/...' },
    ],
  ])('is merged into the message of the user, once for all: %s', async (_name, status, body) => {
    const { server, expand, waits } = await asking((request) =>
      request.system === '' ? undefined : { kind: 'status', status, body },
    );
    expect((await expand('One')).kind).toBe('reply');
    expect((await expand('Two')).kind).toBe('reply');
    expect(server.requests.map(({ body }) => body.messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['user'],
      ['user'],
    ]);
    expect(server.requests[1]?.user).toMatch(/^You plan work\.\n\n<goal>One<\/goal>$/);
    expect(waits).toEqual([]);
  });
});

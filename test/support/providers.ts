import type { Fault } from './model-server.js';

type Answer = Extract<Fault, { kind: 'status' | 'body' }>;

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  kind: 'status',
  status,
  body,
  headers,
});
const openAi = (status: number, message: string, more: object = {}, headers: Record<string, string> = {}) =>
  answer(
    status,
    { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } },
    headers,
  );
/** Google's errors come in a list. */
const google = (status: number, state: string, message: string, details: readonly object[] = []) =>
  answer(status, [{ error: { code: status, message, status: state, details } }]);

/** What servers answer to a request whose text they will not work on, by what they are called. */
export const REFUSED_TEXTS: readonly (readonly [string, Answer])[] = [
  [
    'OpenAI',
    openAi(
      400,
      'Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt.',
      { code: 'invalid_prompt' },
    ),
  ],
  [
    'Azure',
    answer(400, {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    }),
  ],
  ['DeepSeek', openAi(400, 'Content Exists Risk', { code: 'invalid_request_error' })],
  [
    'DashScope',
    answer(400, {
      error: {
        message: 'Input data may contain inappropriate content.',
        type: 'data_inspection_failed',
        param: null,
        code: 'data_inspection_failed',
      },
      request_id: 'r1',
    }),
  ],
  [
    'OpenRouter',
    answer(403, {
      error: {
        code: 403,
        message: 'Your chosen model requires moderation and your input was flagged',
        metadata: { reasons: ['violence'], flagged_input: 'Bui…', provider_name: 'OpenAI', model_slug: 'm' },
      },
    }),
  ],
  [
    'OpenRouter, which charged nothing',
    answer(403, {
      error: {
        code: 403,
        message:
          'openai/gpt requires moderation on OpenAI. Your input was flagged for "violence". No credits were charged.',
        metadata: { reasons: ['violence'], flagged_input: 'Bui…', provider_name: 'OpenAI', model_slug: 'm' },
      },
    }),
  ],
  [
    'xAI',
    answer(403, {
      code: 'The caller does not have permission to execute the specified operation',
      error: 'Content violates usage guidelines. Model: grok-4, Failed check: SAFETY_CHECK_TYPE_BIO',
    }),
  ],
];

/** What servers answer to a request that is too long for them. */
export const TOO_LONG_TEXTS: readonly (readonly [string, Answer])[] = [
  [
    'OpenAI',
    openAi(
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
      { code: 'context_length_exceeded', param: 'messages' },
    ),
  ],
  [
    'Gemini',
    google(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1048580) exceeds the maximum number of tokens allowed (1048576).',
    ),
  ],
  ['a proxy', { kind: 'body', status: 413, body: '<html>413 Request Entity Too Large</html>' }],
  [
    'GitHub',
    answer(413, {
      error: {
        code: 'tokens_limit_reached',
        message: 'Request body too large for m model. Max size: 8000 tokens.',
      },
    }),
  ],
  [
    'Groq',
    answer(413, {
      error: {
        message:
          'Request too large for model `m` in organization `o` on tokens per minute (TPM): Limit 300, Requested 7100, please reduce your message size and try again.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    }),
  ],
  [
    'llama.cpp',
    answer(400, {
      error: {
        code: 400,
        message: 'the request exceeds the available context size (256 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 1407,
        n_ctx: 256,
      },
    }),
  ],
  [
    'llama.cpp before',
    answer(500, { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } }),
  ],
];

/** What servers answer to a request that is wrong in a way that nobody knows beforehand. */
export const UNCLEAR: readonly (readonly [string, Answer])[] = [
  ['OpenAI', openAi(400, 'We could not parse the JSON body of your request.')],
  [
    'vLLM',
    answer(400, {
      object: 'error',
      message: 'unexpected tokens',
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
  ],
  ['Gemini', google(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.')],
  [
    'FastAPI',
    answer(422, {
      detail: [{ type: 'x', loc: ['body', 'user'], msg: 'Field required', input: 'api key flagged' }],
    }),
  ],
  ['a gateway', { kind: 'body', status: 400, body: 'Bad Request' }],
];

/** What servers answer when the model is of no use at all, with the code of the error that follows. */
export const LOST_MODELS: readonly (readonly [string, string, Answer])[] = [
  [
    'OpenAI’s key',
    'MODEL_UNAUTHORIZED',
    openAi(401, 'Incorrect API key provided.', { code: 'invalid_api_key' }),
  ],
  [
    'xAI’s key',
    'MODEL_UNAUTHORIZED',
    answer(400, {
      code: 'Client specified an invalid argument',
      error: 'Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai.',
    }),
  ],
  [
    'Gemini’s key',
    'MODEL_UNAUTHORIZED',
    google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
    ]),
  ],
  ['a wall’s 403', 'MODEL_UNAUTHORIZED', { kind: 'body', status: 403, body: '<html>Forbidden</html>' }],
  [
    'Ollama’s model',
    'MODEL_UNKNOWN',
    openAi(404, 'model "m" not found, try pulling it first', { type: 'api_error' }),
  ],
  [
    'vLLM’s model',
    'MODEL_UNKNOWN',
    answer(404, {
      object: 'error',
      message: 'The model `m` does not exist.',
      type: 'NotFoundError',
      code: 404,
    }),
  ],
  ['DeepSeek’s credit', 'MODEL_FAILED', openAi(402, 'Insufficient Balance', { type: 'unknown_error' })],
  [
    'OpenAI’s credit',
    'MODEL_FAILED',
    openAi(429, 'You exceeded your current quota.', {
      code: 'insufficient_quota',
      type: 'insufficient_quota',
    }),
  ],
  [
    'xAI’s credit',
    'MODEL_FAILED',
    answer(429, {
      code: 'Some resource has been exhausted',
      error: 'Your team has either used all available credits or reached its monthly spending limit.',
    }),
  ],
  ['Anthropic’s credit', 'MODEL_FAILED', openAi(400, 'Your credit balance is too low to access the API.')],
];

/** What servers answer at their limits, with the wait in milliseconds that they ask for. */
export const LIMITS: readonly (readonly [string, number, Answer])[] = [
  [
    'OpenAI in its message',
    20_000,
    openAi(
      429,
      'Rate limit reached for m on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s. Visit x to learn more.',
      { type: 'requests', code: 'rate_limit_exceeded' },
    ),
  ],
  [
    'OpenAI in milliseconds',
    120,
    openAi(429, 'Rate limit reached. Please try again in 120ms.', { code: 'rate_limit_exceeded' }),
  ],
  [
    'OpenAI in its headers',
    6000,
    openAi(
      429,
      'Rate limit reached.',
      {},
      {
        'x-ratelimit-remaining-requests': '12',
        'x-ratelimit-reset-requests': '6m0s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6s',
      },
    ),
  ],
  [
    'Azure in its message',
    26_000,
    openAi(429, 'Requests have exceeded the call rate limit. Please retry after 26 seconds.', {
      code: '429',
    }),
  ],
  [
    'Groq in a header',
    2000,
    openAi(429, 'Rate limit reached', {}, { 'retry-after': '2', 'x-ratelimit-reset-requests': '2m59.56s' }),
  ],
  [
    'Gemini in its details',
    44_000,
    google(
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota, please check your plan and billing details.',
      [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '44s' },
      ],
    ),
  ],
  [
    'Gemini in its message',
    44_390,
    google(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.\nPlease retry in 44.39s.'),
  ],
  [
    'OpenRouter by milliseconds since 1970',
    9000,
    answer(
      429,
      { error: { code: 429, message: 'Rate limit exceeded: free-models-per-min. ' } },
      {
        'x-ratelimit-limit': '20',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Date.parse('2025-11-30T10:00:09Z')),
      },
    ),
  ],
  [
    'another by seconds since 1970',
    9000,
    openAi(
      429,
      'Slow down',
      {},
      { 'x-ratelimit-reset-requests': String(Date.parse('2025-11-30T10:00:09Z') / 1000) },
    ),
  ],
  [
    'Anthropic by a date',
    9000,
    openAi(
      429,
      'Slow down',
      {},
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2025-11-30T10:00:09Z',
      },
    ),
  ],
  [
    'Cerebras in seconds',
    11_382,
    openAi(429, 'Slow down', {}, { 'x-ratelimit-reset-tokens-minute': '11.382' }),
  ],
];

/** A server at its limit that does not say for how long, in the words of vLLM, Mistral and others. */
export const LIMITED = openAi(429, 'Requests rate limit exceeded', { type: 'rate_limited', code: '1300' });

/** Groq's answer to a reply of its model that is not JSON as asked. */
export function badJson(reply: string): Answer {
  return answer(400, {
    error: {
      message:
        "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
      type: 'invalid_request_error',
      code: 'json_validate_failed',
      failed_generation: reply,
    },
  });
}

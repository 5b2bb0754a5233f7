import { afterEach, describe, expect, it } from 'vitest';

import { readErrorBody } from '../../src/llm/error-text.js';
import { startModelServer, type Fault, type ModelServer } from '../support/model-server.js';
import { testModel, type TestModelOptions } from '../support/model.js';
import { badJson, LOST_MODELS, REFUSED_TEXTS, TOO_LONG_TEXTS, UNCLEAR } from '../support/providers.js';

const servers: ModelServer[] = [];

// A client of a server that answers so about one model, and properly about all others.
async function asking(
  fault: Fault | ((number: number) => Fault | undefined),
  options: TestModelOptions = {},
) {
  const server = await startModelServer({
    faults: ({ body, number }) =>
      body.model !== 'test-model' ? undefined : typeof fault === 'function' ? fault(number) : fault,
  });
  servers.push(server);
  return { server, ...(await testModel(server.baseUrl, options)) };
}

const models = ({ requests }: ModelServer) => requests.map(({ body }) => body.model);

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('a text that a server will not work on', () => {
  it.each(REFUSED_TEXTS)('concerns its goal alone, and no other model is asked: %s', async (_name, fault) => {
    const { server, expand } = await asking(fault, { fallbackModels: ['b'] });
    expect(await expand('Build it')).toMatchObject({
      kind: 'rejected',
      code: 'refused',
      usage: { calls: 1 },
    });
    expect(models(server)).toEqual(['test-model']);
  });

  it.each(TOO_LONG_TEXTS)('because it is too long concerns its goal alone: %s', async (_name, fault) => {
    const { server, expand } = await asking(fault, { fallbackModels: ['b'] });
    expect(await expand('Build it')).toMatchObject({ kind: 'rejected', code: 'cut_off' });
    expect(models(server)).not.toContain('b');
  });
});

describe('what a server says without end, in characters that take no column', () => {
  const long = `No ${'e\u0301'.repeat(2)}${'\u200D\u0301'.repeat(500_000)}`;

  it('is told in short when it refuses a text', async () => {
    const { expand } = await asking({ kind: 'content', content: '', refusal: long });
    const answer = await expand('Build it');
    expect(answer).toMatchObject({ kind: 'rejected', code: 'refused' });
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  });

  it('is told in short when it is an error', async () => {
    const body = { error: { message: long, code: long, param: long } };
    const { expand } = await asking({ kind: 'status', status: 400, body });
    const answer = await expand('Build it');
    expect(answer).toMatchObject({ kind: 'unavailable' });
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  });
});

describe('a request that is refused without a word of whose fault it is', () => {
  it.each(UNCLEAR)('is told from a model that is of no use: %s', async (_name, fault) => {
    const { server, expand } = await asking(fault);
    expect(await expand('Build it')).toMatchObject({
      kind: 'unavailable',
      refused: true,
      error: { code: 'MODEL_FAILED' },
    });
    expect(server.count).toBe(1);
  });

  it('is put to the other models, each time', async () => {
    const { server, expand, events } = await asking(UNCLEAR[0]?.[1] as Fault, { fallbackModels: ['b'] });
    expect(await expand('One')).toMatchObject({ kind: 'reply', usage: { calls: 2 } });
    expect(await expand('Two')).toMatchObject({ kind: 'reply' });
    expect(models(server)).toEqual(['test-model', 'b', 'test-model', 'b']);
    expect(events).toMatchObject([{ kind: 'fallback', from: 'test-model', to: 'b' }, { kind: 'fallback' }]);
  });

  it('shows nothing of the input that a server quotes', () => {
    const detail = [{ type: 'x', loc: ['body', 'user'], msg: 'Field required', input: 'the whole prompt' }];
    expect(readErrorBody(JSON.stringify({ detail })).message).toBe('body.user: Field required');
  });
});

describe('a model that is of no use', () => {
  it.each(LOST_MODELS)('ends with its error: %s', async (_name, code, fault) => {
    const { server, expand, waits } = await asking(fault);
    const answer = await expand('Build it');
    expect(answer).toMatchObject({ kind: 'unavailable', error: { code } });
    expect(answer).not.toHaveProperty('refused');
    expect(server.count).toBe(1);
    expect(waits).toEqual([]);
  });

  it.each(LOST_MODELS)('is left for the next, and not asked again: %s', async (_name, _code, fault) => {
    const { server, expand } = await asking(fault, { fallbackModels: ['b'] });
    expect(await expand('One')).toMatchObject({ kind: 'reply' });
    expect(await expand('Two')).toMatchObject({ kind: 'reply' });
    expect(models(server)).toEqual(['test-model', 'b', 'b']);
  });

  it('is named in the error when the others fail too', async () => {
    const server = await startModelServer({
      faults: ({ body }) => ({ kind: 'status', status: body.model === 'a' ? 401 : 503 }),
    });
    servers.push(server);
    const { expand } = await testModel(server.baseUrl, { model: 'a', fallbackModels: ['b'], maxRetries: 1 });
    const answer = await expand('Build it');
    expect(answer).toMatchObject({ kind: 'unavailable', error: { code: 'MODEL_UNAUTHORIZED' } });
    expect(answer).not.toHaveProperty('refused');
    expect(models(server)).toEqual(['a', 'b', 'b']);
  });
});

describe('a reply that a server finds to be no JSON', () => {
  const good = '{"atomic":true,"reasoning":"r","sub_goals":[]}';
  const once = (fault: Fault) => (number: number) => (number === 1 ? fault : undefined);

  it('is read all the same when it can be', async () => {
    const { server, expand } = await asking(badJson(`Here: ${good.replace('}', ',}')}`));
    expect(await expand('Build it')).toMatchObject({ kind: 'reply', value: { reasoning: 'r' } });
    expect(server.count).toBe(1);
  });

  it('is repaired, with the reply and what both say of it', async () => {
    const { server, expand } = await asking(once(badJson('{"atomic": maybe')));
    expect(await expand('Build it')).toMatchObject({ kind: 'reply', usage: { calls: 2 } });
    const user = server.requests[1]?.user ?? '';
    expect(user).toContain('<previous_reply>{"atomic": maybe</previous_reply>');
    expect(user).toContain('Failed to generate JSON');
    expect(user).toContain('not valid JSON');
  });

  it('is the goal’s own when the repair is no better', async () => {
    const { server, expand } = await asking(badJson('no'), { fallbackModels: ['b'] });
    expect(await expand('Build it')).toMatchObject({ kind: 'rejected', code: 'invalid_reply' });
    expect(server.count).toBe(2);
  });
});

describe('an error body', () => {
  it.each([
    [
      'in a list',
      [{ error: { code: 400, message: 'm', status: 'S' } }],
      { message: 'm', labels: ['400', 'S'] },
    ],
    [
      'within another',
      { error: { message: '{"error":{"message":"m","code":"c"}}', code: 500 } },
      { message: 'm', labels: ['500', 'c'] },
    ],
    [
      'that a gateway passes on',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"m","param":"p"}}' },
        },
      },
      { message: 'Provider returned error: m', param: 'p' },
    ],
    ['whose code stands beside it', { code: 'c', error: 'm' }, { message: 'm', code: 'c' }],
    ['without an error', { object: 'error', message: 'm', type: 't' }, { message: 'm', code: 't' }],
    ['of an empty list', [], { message: '[]' }],
    ['of an empty text', '', { message: '""' }],
    [
      'with members of other kinds',
      { error: { message: 5, code: {}, param: [], details: 7, metadata: 'x' } },
      { message: '5' },
    ],
  ])('is read %s', (_name, body, expected) => {
    expect(readErrorBody(JSON.stringify(body))).toMatchObject(expected);
  });

  it.each(['[', '[{"error":', '{"error":{"message":"', '{"message":"{'])(
    'is read in bounds when it is a million times %j',
    (text) => {
      const body = text.repeat(1_000_000);
      expect(readErrorBody(body).message).toBe(body);
    },
  );

  it('is opened up no more than three times', () => {
    let body = 'deep';
    for (let layer = 0; layer < 20; layer += 1) body = JSON.stringify({ error: { message: body } });
    expect(readErrorBody(body).message).toMatch(/^\{"error"/);
  });
});

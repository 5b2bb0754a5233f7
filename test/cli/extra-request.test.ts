import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { errorOf, newUser } from '../support/command.js';
import { startModelServer, uniformTree, type ModelServerOptions } from '../support/model-server.js';

const tree = uniformTree(1, 2);
const SECRET = 'azure-secret-0123456789';

async function serverFor(options: ModelServerOptions = {}) {
  const server = await startModelServer({ tree, ...options });
  onTestFinished(() => server.close());
  return { server, environment: { OPENAI_BASE_URL: server.baseUrl } };
}

describe('what is sent besides', () => {
  test('comes from the environment', async () => {
    const { server, environment } = await serverFor();
    const ended = await newUser().run(['init', tree.description], {
      ...environment,
      FRCTL_REASONING_EFFORT: 'low',
      FRCTL_API_VERSION: '2024-10-21',
      FRCTL_EXTRA_HEADERS: '{"X-Title":"frctl","Authorization":"Basic abc"}',
      FRCTL_EXTRA_BODY: '{"provider":{"order":["a"]},"temperature":null}',
    });
    expect(ended.status).toBe(0);
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/chat/completions?api-version=2024-10-21');
    expect(request?.headers).toMatchObject({ 'x-title': 'frctl', authorization: 'Basic abc' });
    expect(request?.body).toMatchObject({ reasoning_effort: 'low', provider: { order: ['a'] } });
    expect(request?.body).not.toHaveProperty('temperature');
  });

  test.each([
    ['api-key', SECRET, SECRET],
    ['Authorization', `Basic ${SECRET}`, SECRET],
    ['Cookie', `session=${SECRET}; theme=dark`, SECRET],
  ])('is no secret that a server may say again: %s of the environment', async (name, value, echoed) => {
    const { environment } = await serverFor({
      faults: () => ({ kind: 'status', status: 503, body: { error: { message: `down for ${echoed}` } } }),
    });
    const user = newUser();
    const failed = await user.run(['init', tree.description, '--max-retries', '0', '--json'], {
      ...environment,
      FRCTL_EXTRA_HEADERS: JSON.stringify({ [name]: value }),
    });
    expect(failed.status).toBe(5);
    expect(errorOf(failed.json()).message).toContain('down for [key]');
    const files = readdirSync(join(user.folder, '.plans'), { recursive: true, withFileTypes: true });
    const kept = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(kept.map((file) => readFileSync(file, 'utf8')).join('\n')).not.toContain(SECRET);
  });

  test.each([
    [{ host: 'evil' }, /^FRCTL_EXTRA_HEADERS: host is not allowed as a name: a header that cannot be set$/],
    [
      { 'api-key': `${SECRET}é` },
      /^FRCTL_EXTRA_HEADERS: api-key cannot be a text: not the value of a header|^FRCTL_EXTRA_HEADERS: api-key is not the value/,
    ],
  ])('that cannot be sent is named, without its value: %j', async (headers, said) => {
    const refused = await newUser().run(['init', tree.description, '--json'], {
      FRCTL_EXTRA_HEADERS: JSON.stringify(headers),
    });
    expect(refused.status).toBe(2);
    expect(errorOf(refused.json()).message).toMatch(said);
    expect(refused.out + refused.error).not.toContain(SECRET);
  });

  test('is set in one’s own config, a secret by the name of its variable, which nobody sees', async () => {
    const { server, environment } = await serverFor({
      faults: ({ number }) =>
        number === 1
          ? { kind: 'status', status: 401, body: { error: { message: `no ${SECRET}` } } }
          : undefined,
    });
    const user = newUser();
    const set = ['config', 'set', 'extra_headers.api-key', '${env:AZURE_KEY}', '--user'];
    expect((await user.run(set)).status).toBe(0);
    expect((await user.run(['config', 'set', 'reasoning_effort', 'high', '--user'])).status).toBe(0);
    const unset = await user.run(['init', tree.description, '--json'], environment);
    expect(unset.status).toBe(2);
    expect(errorOf(unset.json()).message).toContain('AZURE_KEY');
    expect(server.count).toBe(0);
    const refused = await user.run(['init', tree.description, '--json', '--debug'], {
      ...environment,
      AZURE_KEY: SECRET,
    });
    expect(refused.status).toBe(5);
    expect(refused.out + refused.error).not.toContain(SECRET);
    expect(errorOf(refused.json()).message).toContain('no [key]');
    expect(server.requests[0]?.headers).toMatchObject({ 'api-key': SECRET });
    expect(server.requests[0]?.body).toMatchObject({ reasoning_effort: 'high' });
    const shown = await user.run(['config', '--json'], { AZURE_KEY: SECRET });
    expect(shown.out).toContain('${env:AZURE_KEY}');
    expect(shown.out).not.toContain(SECRET);
    expect(readFileSync(join(user.home, '.config', 'frctl', 'config.json'), 'utf8')).not.toContain(SECRET);
  });

  test('is left out where a server refuses it', async () => {
    const { server, environment } = await serverFor({
      faults: ({ body }) =>
        'reasoning_effort' in body
          ? {
              kind: 'status',
              status: 400,
              body: { error: { message: 'Unrecognized request argument supplied: reasoning_effort' } },
            }
          : undefined,
    });
    const ended = await newUser().run(['init', tree.description], {
      ...environment,
      FRCTL_REASONING_EFFORT: 'low',
    });
    expect(ended.status).toBe(0);
    expect(server.requests.map(({ body }) => 'reasoning_effort' in body)).toEqual([true, false]);
  });

  test.each([
    ['a secret in a header', ['extra_headers.api-key', SECRET]],
    ['a header of the connection', ['extra_headers.Host', 'elsewhere']],
    ['the name of no header', ['extra_headers.a b', 'x']],
    ['a line end', ['extra_headers.X-Title', 'a\r\nX-Other: b']],
    ['a member that budgets rely on', ['extra_body.max_tokens', '1']],
    ['the messages', ['extra_body.messages', '[]']],
    ['a version that is none', ['api_version', '1&x=2']],
    ['an effort that is none', ['reasoning_effort', 'very high']],
  ])('is refused in a config: %s', async (_name, setting) => {
    const refused = await newUser().run(['config', 'set', ...setting, '--user', '--json']);
    expect(refused.status).toBe(2);
    expect(refused.out).not.toContain(SECRET);
  });

  test('cannot be said by a repository, nor carry the environment out', async () => {
    const { server, environment } = await serverFor();
    for (const config of [
      { extra_headers: { 'x-out': '${env:HOME_SECRET}' } },
      { extra_headers: { 'helicone-target-url': 'https://elsewhere.example' } },
      { extra_body: { models: ['dear'] } },
    ]) {
      const user = newUser();
      mkdirSync(join(user.folder, '.plans'));
      writeFileSync(join(user.folder, '.plans', 'config.json'), JSON.stringify(config));
      const refused = await user.run(['init', tree.description, '--json'], {
        ...environment,
        HOME_SECRET: SECRET,
      });
      expect(refused.status).toBe(2);
      expect(errorOf(refused.json()).hint).toContain('--user');
      const set = await user.run(['config', 'set', 'extra_headers.x-title', 'x', '--json']);
      expect(set.status).toBe(2);
    }
    expect(server.count).toBe(0);
  });

  test.each([
    ['database_url', 'postgres://localhost/x'],
    ['extra_headers', '{"x-title":"x"}'],
    ['extra_headers.x-title', 'x'],
    ['extra_body', '{}'],
  ])('set in the config of a project, %s is refused with the command that sets it', async (name, value) => {
    const user = newUser();
    for (const make of [() => undefined, () => mkdirSync(join(user.folder, '.plans'))]) {
      make();
      const refused = await user.run(['config', 'set', name, value]);
      expect(refused.status).toBe(2);
      expect(refused.error).toContain('only your own config can set');
      expect(refused.error).toContain(`plan config set ${name} … --user`);
      // The config holds nothing of it.
      expect(refused.error).not.toMatch(/holds|[Rr]emove/);
    }
  });

  test('a header that would keep a secret in a file is refused without saying that the file holds one', async () => {
    const refused = await newUser().run(['config', 'set', 'extra_headers.api-key', SECRET, '--user']);
    expect(refused.error).toContain('the header api-key would keep a secret in');
    expect(refused.error).not.toContain('holds');
  });
});

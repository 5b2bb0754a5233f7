import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { readSourceLines } from '../../src/features/page/server/source-lines.js';
import { newUser } from '../support/command.js';
import { sharedFolder, temporaryFolder } from '../support/folders.js';
import { allAttacks } from '../support/hostile-text.js';
import { ask, readLines, servePage } from '../support/page-server.js';
import { openWorkspace } from '../../src/workspace.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';

/** Somebody with a plan of three goals, one after the other. */
async function newPlace(newFolder = temporaryFolder) {
  const user = { folder: newFolder(), home: newFolder() };
  const workspace = workspaceAt(user.folder, user.home);
  const { plan } = await workspace.init({ goal: 'Move house', decompose: false }).result;
  for (const text of ['Pack', 'Drive', 'Unpack']) await workspace.add({ under: 'root', description: text });
  await workspace.depend({ goal: '2', on: ['1'] });
  return { ...user, workspace, plan: plan.id };
}

const workspaceAt = (workingFolder: string, homeFolder: string) =>
  openWorkspace({
    environment: {
      ...defaultEnvironment(),
      workingFolder,
      homeFolder,
      variables: { PATH: process.env.PATH },
    },
  });

/** One for all the tests that are refused, and so change nothing in it. */
let attacked: ReturnType<typeof newPlace>;
beforeAll(() => void (attacked = newPlace(sharedFolder)));

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('a stranger', () => {
  test.each([
    ['evil.example'],
    ['evil.example:PORT'],
    ['127.0.0.1'],
    ['127.0.0.1:1'],
    ['localhost:PORT.evil.example'],
    ['127.0.0.1:PORT@evil.example'],
    ['0.0.0.0:PORT'],
  ])('who made the name %s lead to this machine gets 421, with the token or without', async (host) => {
    const { port, token } = await servePage(await attacked);
    const headers = { host: host.replace('PORT', String(port)) };
    for (const path of ['/', '/api/plans'])
      expect(await ask(port, path, { headers: { ...headers, ...bearer(token) } })).toMatchObject({
        status: 421,
      });
  });

  test('who says no name gets 421', async () => {
    const { port } = await servePage(await attacked);
    const socket = connect(port, '127.0.0.1');
    socket.end('GET / HTTP/1.0\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 421 /);
  });

  test('gets an answer by the names of loopback alone', async () => {
    const { port, token } = await servePage(await attacked);
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])
      expect(
        await ask(port, '/api/plans', { headers: { host: `${name}:${port}`, ...bearer(token) } }),
      ).toMatchObject({ status: 200 });
  });

  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://localhost:1' }],
    [{ origin: 'https://127.0.0.1:PORT' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('whose page asks with %j gets 403', async (headers) => {
    const { port, token } = await servePage(await attacked, { write: true });
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(port))]),
    );
    const answers = await Promise.all([
      ask(port, '/api/plans', { headers: { ...sent, ...bearer(token) } }),
      ask(port, '/api/operations/claim', {
        method: 'POST',
        headers: { ...sent, ...bearer(token), 'content-type': 'application/json' },
        body: '{"goal":"1"}',
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    for (const answer of answers) {
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.text).not.toContain('Move house');
    }
  });

  test.each([
    [{}],
    [{ authorization: '' }],
    [{ authorization: 'Bearer ' }],
    [{ authorization: 'Bearer wrong' }],
    [{ authorization: 'Basic TOKEN' }],
    [{ authorization: 'Bearer TOKENx' }],
    [{ cookie: 'token=TOKEN' }],
    [{ cookie: 'authorization=Bearer TOKEN' }],
  ])('with %j gets 401 from every route of data', async (headers) => {
    const { plan, ...place } = await attacked;
    const { port, token } = await servePage(place);
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)]),
    );
    const paths = ['plans', `plans/${plan}`, `plans/${plan}/stream`, `plans/${plan}/log`, 'runs', 'stream'];
    for (const path of [...paths, 'nothing', `plans/${plan}/goals/1?token=${token}`]) {
      const { status, text } = await ask(port, `/api/${path}`, { headers: sent });
      expect(status).toBe(401);
      expect(text).not.toContain('Pack');
      expect(text).not.toContain(token);
    }
  });

  test('changes nothing without --write, whatever the method', async () => {
    const { port, token } = await servePage(await attacked);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'])
      for (const path of ['/', '/api/plans', '/api/operations/claim']) {
        if (method === 'GET' && !path.includes('operations')) continue;
        const answer = await ask(port, path, { method, headers: bearer(token) });
        expect([method, path, answer.status]).toEqual([method, path, 405]);
      }
  });

  test('reaches no file by any path', async () => {
    const { port, token } = await servePage(await attacked);
    const paths = [
      '/../package.json',
      '/..%2f..%2fetc/passwd',
      '/page.js/../../package.json',
      '/.plans/index.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '//etc/passwd',
      'http://evil.example/',
      '/api/plans/..%2F..%2Fetc%2Fpasswd',
      '/api/plans/__proto__',
      '/api/plans/%00',
      '/api/plans/%E0%A4%A',
      '/api/runs/..%2F..%2Fx',
      '/api/__proto__',
      '/api/plans/constructor/goals/toString',
      '/api//',
    ];
    for (const path of paths) {
      const { status, text } = await ask(port, path, { headers: bearer(token) });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      expect(text).not.toContain('root:');
      expect(text).not.toContain('"name"');
    }
  });

  test('who sends too much is refused, and who sends nothing keeps nobody waiting', async () => {
    const { port, token } = await servePage(await attacked, { write: true });
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const long = await ask(port, '/api/operations/claim', {
      method: 'POST',
      headers,
      body: JSON.stringify({ goal: 'x'.repeat(2_000_000) }),
    });
    expect(long.status).toBe(400);
    const big = await ask(port, '/', { headers: { cookie: 'x'.repeat(20_000) } }).catch(() => ({
      status: 431,
    }));
    expect(big.status).toBe(431);
    const silent = connect(port, '127.0.0.1');
    silent.on('error', () => undefined);
    silent.write('GET / HTT');
    expect((await ask(port, '/')).status).toBe(200);
    silent.destroy();
  });
});

test('every answer says that it is not to be kept, framed, or read by others', async () => {
  const { port, token } = await servePage(await attacked);
  for (const [path, headers] of [
    ['/', {}],
    ['/api/plans', bearer(token)],
    ['/api/plans', {}],
    ['/nothing', {}],
    ['/', { host: 'evil.example' }],
  ] as const) {
    const answer = await ask(port, path, { headers });
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

test('the code of --open stands for the token once', async () => {
  const server = await servePage(await attacked);
  const code = new URL(server.newOpeningUrl()).hash.replace('#code=', '');
  expect(code).not.toBe(server.token);
  const redeem = () => ask(server.port, '/api/session', { headers: bearer(code) });
  expect((await redeem()).json()).toEqual({ token: server.token });
  expect((await redeem()).status).toBe(401);
  expect((await ask(server.port, '/api/plans', { headers: bearer(code) })).status).toBe(401);
});

const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    ({ code }: { readonly code: string }) => code,
  );

describe('the routes', () => {
  test('say what the commands say, without tokens of claims', async () => {
    const { plan, workspace, ...place } = await newPlace();
    const { claimed } = await workspace.claim('1', { by: 'ana' });
    const { port, token } = await servePage(place);
    const get = async (path: string) => ask(port, `/api/${path}`, { headers: bearer(token) });
    const all = await Promise.all(
      ['plans', 'plans?archived', `plans/${plan}`, `plans/${plan}/log`, `plans/${plan}/goals/1`, 'runs'].map(
        get,
      ),
    );
    for (const { text } of all) expect(text).not.toContain(claimed.token);
    const [plans, archived, whole, log, goal, runs] = all.map((answer) => answer.json());
    expect(plans).toMatchObject({ plans: [{ id: plan, description: 'Move house' }] });
    expect(archived).toMatchObject({ plans: [] });
    expect(whole).toMatchObject({ plan: { id: plan, planning: false }, goals: { length: 4 } });
    expect(log).toMatchObject({
      checked: true,
      before: null,
      events: [{ message: expect.stringContaining('claimed “Pack”'), by: 'ana' }, {}, {}, {}, {}, {}],
    });
    expect(goal).toMatchObject({
      goal: { number: '1', claim: { by: 'ana' } },
      dependents: [{ number: '2' }],
    });
    expect(runs).toEqual({ runs: [], problems: [] });
  });

  test.each([
    ['plans/ffffffff', 404, 'PLAN_NOT_FOUND'],
    ['plans/x_y', 400, 'INVALID_INPUT'],
    ['plans/xyz', 404, 'PLAN_NOT_FOUND'],
    ['plans/ffffffff/stream', 404, 'PLAN_NOT_FOUND'],
    ['plans/PLAN/goals/99', 404, 'GOAL_NOT_FOUND'],
    ['runs/run-00000000', 404, 'E_PLAN_NOT_FOUND'],
    ['nothing', 404, 'FILE_NOT_FOUND'],
  ])('answer /api/%s with %i and the error of the command', async (path, status, code) => {
    const { plan, ...place } = await attacked;
    const { port, token } = await servePage(place);
    const answer = await ask(port, `/api/${path.replace('PLAN', plan)}`, { headers: bearer(token) });
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { code } });
  });

  test('show the lines of a document that a goal comes from, and of nothing else', async () => {
    const place = await newPlace();
    const { folder, workspace } = place;
    writeFileSync(join(folder, 'PRD.md'), '# Move house\n\nSoon.\n\n- Pack\n- Drive\n\nThen rest.\n');
    const { plan } = await workspace.init({ from: 'PRD.md' }).result;
    const { port, token } = await servePage(place);
    const get = (goal: string) =>
      ask(port, `/api/plans/${plan.id}/goals/${goal}/source`, { headers: bearer(token) });
    expect((await get('2')).json()).toEqual({
      file: 'PRD.md',
      first: 4,
      lines: ['', '- Pack', '- Drive', '', 'Then rest.'],
      cut: 0,
    });
    expect((await ask(port, `/api/plans/${plan.id}/goals/2/source`)).status).toBe(401);
    expect((await get('99')).status).toBe(404);
    // The document is another now.
    writeFileSync(join(folder, 'PRD.md'), '# Move');
    expect((await get('2')).json()).toMatchObject({ error: { message: 'PRD.md ends at line 1 now' } });

    // A plan can come from a stranger, who chose the paths in it.
    const outside = join(temporaryFolder(), 'diary.md');
    writeFileSync(outside, 'secret\nsecret\n');
    symlinkSync(outside, join(folder, 'linked.md'));
    writeFileSync(join(folder, '.env'), 'KEY=secret\n');
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs', 'noise.md'), Buffer.from([0xff, 0xfe, 0xfd]));
    for (const [file, code] of [
      [outside, 'REFUSED'],
      [`../${outside}`, 'REFUSED'],
      ['linked.md', 'REFUSED'],
      ['.env', 'REFUSED'],
      ['docs/../.env', 'REFUSED'],
      ['.plans/index.json', 'REFUSED'],
      ['docs', 'STORAGE_FAILED'],
      ['docs/noise.md', 'INVALID_INPUT'],
      ['gone.md', 'FILE_NOT_FOUND'],
      ['-', 'FILE_NOT_FOUND'],
    ] as const)
      expect([
        file,
        await refusalOf(readSourceLines({ file, start_line: 1, end_line: 1 }, 'Secret', folder)),
      ]).toEqual([file, code]);
  });

  test('show no lines that have other words than the goal by now', async () => {
    const place = await newPlace();
    const { folder, home } = place;
    const within = join(folder, 'packages');
    mkdirSync(within);
    const wanted = '# Release\n\n- Publish **the** package\n- Write the changelog\n';
    writeFileSync(join(within, 'README.md'), wanted);
    const { plan } = await workspaceAt(within, home).init({ from: 'README.md' }).result;
    const { port, token } = await servePage(place);
    const shown = async () =>
      (await ask(port, `/api/plans/${plan.id}/goals/1/source`, { headers: bearer(token) })).json() as object;
    const others = { error: { message: 'README.md has changed at these lines' } };
    // The path is relative to where the plan was made, and names another file here.
    const file = join(folder, 'README.md');
    writeFileSync(file, '# Kitchen\n\n- Buy the flour\n- Bake bread\n- Eat\n');
    expect(await shown()).toMatchObject(others);
    writeFileSync(file, wanted);
    expect(await shown()).toMatchObject({ first: 1, lines: wanted.split('\n') });
    // Moved a little, or put in other words, it is the same still; not when another stands there.
    writeFileSync(file, wanted.replace('Publish **the**', 'Now, publish a new').replace('# ', '\n# '));
    expect(await shown()).toMatchObject({ first: 1 });
    writeFileSync(file, `${'Of us.\n'.repeat(9)}${wanted}`);
    expect(await shown()).toMatchObject(others);
  });

  test('say how many lines of a long goal are not shown', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'PRD.md'), `# Move house\n${'More.\n'.repeat(300)}`);
    const read = (start_line: number, end_line: number) =>
      readSourceLines({ file: 'PRD.md', start_line, end_line }, 'Move house', folder);
    expect(await read(1, 200)).toMatchObject({ first: 1, cut: 140, lines: { length: 60 } });
    expect(await read(1, 60)).toMatchObject({ cut: 0, lines: { length: 60 } });
  });

  test('tell hostile texts as they are, in JSON', async () => {
    const { plan, workspace, ...place } = await newPlace();
    for (const text of allAttacks.filter((each) => each.trim() !== ''))
      await workspace.add({ under: 'root', description: text, by: 'eve' }).catch(() => null);
    const { port, token } = await servePage(place);
    const { headers, json } = await ask(port, `/api/plans/${plan}`, { headers: bearer(token) });
    expect(headers['content-type']).toContain('application/json');
    const { goals } = json() as { readonly goals: readonly { readonly description: string }[] };
    expect(goals.map(({ description }) => description)).toContain('</script><script>alert(1)</script>');
  });
});

/** What stands in a store, by file: its bytes and when they were written. */
function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    names
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => [
        path,
        `${statSync(path).mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`,
      ]),
  );
}

describe('the stream of a plan', () => {
  test('begins with all of it and goes on with what others change, writing nothing', async () => {
    const { plan, workspace, ...place } = await newPlace();
    const { port, token } = await servePage(place);
    const lines = await readLines(port, `/api/plans/${plan}/stream`, token);
    expect(await lines.next()).toMatchObject({
      type: 'whole',
      seq: 1,
      header: { id: plan, description: 'Move house' },
      goals: { length: 4 },
      gone: [],
      archived: false,
    });
    // Another process, with no other way to this one than the store.
    const user = newUser(place.folder);
    await user.start(['claim', '1', '--by', 'ana']).ended;
    const claimed = await lines.next();
    expect(claimed).toMatchObject({
      type: 'changed',
      seq: 2,
      goals: [{ description: 'Pack', claim: { by: 'ana' } }],
      log: [{ message: expect.stringContaining('claimed “Pack”'), by: 'ana' }],
    });
    expect(JSON.stringify(claimed)).not.toContain('"token"');
    await workspace.remove({ goal: '3' });
    expect(await lines.next()).toMatchObject({ type: 'changed', gone: { length: 1 } });
    await workspace.archive({ plan });
    expect(await lines.next()).toMatchObject({ type: 'changed', archived: true });
    const ofPlan = () =>
      Object.entries(filesOf(join(place.folder, '.plans'))).filter(([path]) => path.includes(plan));
    const before = ofPlan();
    // Whoever looks on makes nobody look again: what it wrote would be there before a later event of another plan is.
    const all = await readLines(port, '/api/stream', token);
    const late = await readLines(port, `/api/plans/${plan}/stream`, token);
    expect(await late.next()).toMatchObject({ type: 'whole', archived: true });
    await all.next();
    await workspace.init({ goal: 'Another', decompose: false }).result;
    for (let line = await all.next(); !JSON.stringify(line).includes('plan');) line = await all.next();
    expect(before.length).toBeGreaterThan(0);
    expect(ofPlan()).toEqual(before);
  });

  test('ends with the reason when the plan is deleted for good', async () => {
    const { plan, workspace, ...place } = await newPlace();
    const { port, token } = await servePage(place);
    const lines = await readLines(port, `/api/plans/${plan}/stream`, token);
    await lines.next();
    await workspace.delete({ plan, purge: true });
    let line = await lines.next();
    while (line.type !== 'gone') line = await lines.next();
    expect(line).toMatchObject({ error: { code: 'PLAN_NOT_FOUND' } });
    await lines.ended;
  });

  test('tells ten readers the same', async () => {
    const { plan, workspace, ...place } = await newPlace();
    const { port, token } = await servePage(place);
    const readers = await Promise.all(
      Array.from({ length: 10 }, () => readLines(port, `/api/plans/${plan}/stream`, token)),
    );
    for (const description of ['One', 'Two']) await workspace.add({ under: 'root', description });
    await workspace.claim('1', { by: 'the last' });
    const known = await Promise.all(
      readers.map(async (reader) => {
        const goals = new Map<string, unknown>();
        for (;;) {
          const line = await reader.next();
          for (const goal of line.goals as readonly { readonly id: string }[]) goals.set(goal.id, goal);
          if (JSON.stringify(line.goals).includes('the last')) return Object.fromEntries(goals);
        }
      }),
    );
    expect(Object.keys(known[0] ?? {})).toHaveLength(6);
    for (const each of known) expect(each).toEqual(known[0]);
  });

  test('of a list says that it may have changed', async () => {
    const { workspace, ...place } = await newPlace();
    const { port, token } = await servePage(place);
    const lines = await readLines(port, '/api/stream', token);
    expect(await lines.next()).toMatchObject({ type: 'changed' });
    await workspace.init({ goal: 'Another', decompose: false }).result;
    for (let line = await lines.next(); !JSON.stringify(line).includes('plan');) line = await lines.next();
  });
});

describe('acting, with --write', () => {
  const post = (port: number, token: string, name: string, input: unknown, headers = {}) =>
    ask(port, `/api/operations/${name}`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(input),
    });

  test('claims, edits and completes as the commands do, and is refused as they are', async () => {
    const { plan, workspace, ...place } = await newPlace();
    const { port, token } = await servePage(place, { write: true });
    const claim = await post(port, token, 'claim', { goal: '1', plan, by: 'ana' });
    expect(claim.json()).toMatchObject({ claimed: { by: 'ana' }, goal: { number: '1' } });
    const refused = await post(port, token, 'claim', { goal: '1', plan, by: 'bob' });
    expect(refused.status).toBe(409);
    expect(refused.json()).toMatchObject({ error: { code: 'REFUSED' } });
    expect((await post(port, token, 'claim', { goal: '2', plan, by: 'bob' })).status).toBe(409);
    expect((await post(port, token, 'edit', { goal: '2', plan, description: 'Drive home' })).status).toBe(
      200,
    );
    const stolen = await post(port, token, 'complete', { goal: '1', plan, by: 'bob' });
    expect(stolen.status).toBe(409);
    const { claimed } = claim.json() as { readonly claimed: { readonly token: string } };
    const done = await post(port, token, 'complete', {
      goal: '1',
      plan,
      token: claimed.token,
      summary: 'Packed',
    });
    expect(done.json()).toMatchObject({ became_ready: [{ number: '2', description: 'Drive home' }] });
    const shown = await workspace.show('1', { plan });
    expect(shown.goal).toMatchObject({ status: 'complete' });
  });

  test.each([
    ['delete', { plan: 'PLAN', purge: true }, 404],
    ['config%20set%20', { name: 'base_url', value: 'http://evil.example' }, 404],
    ['config%20set', { name: 'base_url', value: 'http://evil.example' }, 404],
    ['tools%20trust', {}, 404],
    ['__proto__', {}, 404],
    ['claim', { goal: '1', nothing: true }, 400],
    ['claim', [], 400],
    ['claim', { goal: 7 }, 400],
    ['complete', { goal: '1', from: '/etc/passwd' }, 400],
    ['complete', { goal: '1', fromGit: '--output=/tmp/x' }, 400],
    ['complete', { goal: '1', expander: 'model' }, 400],
    ['approve', { code: 'run-00000000', sign: '/home/ana/.ssh/id' }, 400],
  ])('takes from the page no %s with %j', async (name, input, status) => {
    const { plan, ...place } = await attacked;
    const { port, token } = await servePage(place, { write: true });
    const before = filesOf(join(place.folder, '.plans'));
    const answer = await post(port, token, name, JSON.parse(JSON.stringify(input).replace('PLAN', plan)));
    expect(answer.status).toBe(status);
    expect(filesOf(join(place.folder, '.plans'))).toEqual(before);
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
  ])('takes nothing that a form of another site could send (%s)', async (type) => {
    const { port, token } = await servePage(await attacked, { write: true });
    const answer = await post(port, token, 'claim', { goal: '1' }, { 'content-type': type });
    expect(answer.status).toBe(400);
  });

  test('refuses a place of a log that is no place', async () => {
    const { plan, ...place } = await attacked;
    const { port, token } = await servePage(place);
    for (const before of ['abc', '-1', '1e99', ''])
      expect(
        await ask(port, `/api/plans/${plan}/log?before=${before}`, { headers: bearer(token) }),
      ).toMatchObject({
        status: 400,
      });
  });

  test('approves with the code and what was shown, as on a page whatever is said', async () => {
    const { workspace, ...place } = await newPlace();
    writeFileSync(
      join(place.folder, '.plans/tools.yaml'),
      'tools:\n  - name: note\n    run: { file: write, root: notes }\n',
    );
    writeFileSync(
      join(place.folder, 'plan.json'),
      JSON.stringify({
        schema_version: '1.0',
        title: 'Write a note',
        steps: [{ id: 'n', tool: 'note', args: { path: 'a.md', text: 'hello' } }],
      }),
    );
    const { digest } = await workspace.tools.trust({});
    await workspace.tools.trust({ digest });
    const prepared = await workspace.prepare('plan.json', {});
    const code = prepared.approval?.code ?? '';
    const { port, token } = await servePage(place, { write: true });
    const wrong = await post(port, token, 'approve', { code: 'AAAA-AAAA', dryRun: true });
    expect(wrong.status).toBe(404);
    const unseen = await post(port, token, 'approve', { code });
    expect(unseen.status).toBe(409);
    const looked = await post(port, token, 'approve', { code, dryRun: true });
    expect(looked.json()).toMatchObject({ run: prepared.run, approval: null });
    const { shown, text } = looked.json() as { readonly shown: string; readonly text: string };
    expect(text).toContain('a.md');
    const other = await post(port, token, 'approve', { code, agreed: { via: 'page', shown: 'other' } });
    expect(other.status).toBe(409);
    const agreed = await post(port, token, 'approve', { code, agreed: { via: 'terminal', shown } });
    expect(agreed.json()).toMatchObject({ run: prepared.run, via: 'page' });
    expect(existsSync(join(place.folder, 'notes/a.md'))).toBe(false);
    expect(await workspace.run(prepared.run, {}).result).toMatchObject({ status: 'succeeded' });
    const shownRun = await ask(port, `/api/runs/${prepared.run}`, { headers: bearer(token) });
    expect(shownRun.json()).toMatchObject({
      run: { status: 'succeeded' },
      attempts: [{ step: 'n', attempt: 1, outcome: 'succeeded' }],
    });
  });
});

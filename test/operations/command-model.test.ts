import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { outputJsonSync, readJsonSync, writeJsonSync } from 'fs-extra/esm';
import { expect, onTestFinished, test } from 'vitest';

import { commandOf } from '../../src/llm/command/presets.js';
import { findLocalServers } from '../../src/llm/local-servers.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { expansionOf, uniformTree } from '../support/model-server.js';
import type { TreeNode } from '../support/model-server.js';

/** Somebody who has a program called `claude`, which is this script. */
function userOf(script: string, more: Readonly<Record<string, string>> = {}) {
  const [folder, home, bin] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  writeFileSync(join(bin, 'claude'), `#!${process.execPath}\n${script}`, { mode: 0o755 });
  // A test is about the calls that divide goals, and about variables that are told.
  mkdirSync(join(home, '.config', 'frctl'), { recursive: true });
  writeFileSync(join(home, '.config', 'frctl', 'config.json'), '{"link": false}');
  const variables = { ...more, PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: home };
  const workspace = openWorkspace({ environment: { workingFolder: folder, homeFolder: home, variables } });
  return { folder, home, bin, workspace };
}

const READ = `const input = require('node:fs').readFileSync(0, 'utf8');
const fs = require('node:fs');
const here = require('node:path').dirname(process.argv[1]);
const goal = /<goal>([^]*?)<\\/goal>/.exec(input.slice(input.lastIndexOf('<goal>')))[1];
`;

/** A command that knows a tree, with whatever it says besides. */
function knowing(tree: TreeNode, more = ''): string {
  const answers: Record<string, unknown> = {};
  const index = (node: TreeNode): void => {
    answers[node.description] = expansionOf(node);
    for (const child of node.children ?? []) index(child);
  };
  index(tree);
  return `${READ}const answers = ${JSON.stringify(answers)};
${more}
console.log('Welcome! You have 3 credits left {today}.\\n\`\`\`json\\n' + JSON.stringify(answers[goal]) + '\\n\`\`\`\\nHappy to help.');`;
}

const settings = { model: 'exec:claude' };

test('a command plans the tree, two at a time, whatever it prints around its replies', async () => {
  const tree = uniformTree(2, 4);
  const { bin, workspace } = userOf(
    knowing(
      tree,
      `const mine = here + '/run-' + process.pid;
fs.writeFileSync(mine, '');
const running = () => fs.readdirSync(here).filter((name) => name.startsWith('run-')).length;
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
// The first of the goals' parts waits until another one has started, as long as that may take.
if (goal !== ${JSON.stringify(tree.description)} && !fs.existsSync(here + '/two'))
  for (let tries = 0; tries < 500 && running() < 2; tries += 1) pause();
fs.appendFileSync(here + '/most', running() + '\\n');
if (running() > 1) fs.writeFileSync(here + '/two', '');
fs.appendFileSync(here + '/args', JSON.stringify([process.argv.slice(2), process.cwd()]) + '\\n');
for (let tries = 0; tries < 5; tries += 1) pause();
fs.unlinkSync(mine);`,
    ),
  );
  const { plan, stopped } = await workspace.init({ goal: tree.description, settings }).result;
  expect(stopped).toBeNull();
  expect(plan).toMatchObject({ status: 'complete', total_goals: 21, expander: 'model' });
  expect(plan.usage).toMatchObject({ calls: 5, cost_usd: null });
  expect(plan.usage.input_tokens).toBeGreaterThan(1000);
  const most = readFileSync(join(bin, 'most'), 'utf8').trim().split('\n').map(Number);
  expect(Math.max(...most)).toBe(2);
  // Without tools, servers and a session that is kept.
  expect(readFileSync(join(bin, 'args'), 'utf8')).toContain(
    '["-p","--output-format","text","--tools","","--strict-mcp-config","--no-session-persistence"]',
  );
});

test('the other agents of this machine are called so that they edit nothing and keep what they can', () => {
  expect(commandOf('exec:codex', undefined)).toEqual(
    expect.arrayContaining(['--sandbox', 'read-only', '--ephemeral']),
  );
  expect(commandOf('exec:gemini', undefined)?.join(' ')).toContain(
    '--approval-mode default --extensions none --allowed-mcp-server-names none',
  );
});

test('a reply that is no good is repaired once, with its errors', async () => {
  const { bin, workspace } = userOf(`${READ}
fs.appendFileSync(here + '/asked', input.includes('<errors>') ? 'again\\n' : 'first\\n');
console.log(input.includes('<errors>') ? '{"reasoning":"small","atomic":true,"sub_goals":[]}' : 'I would rather not.');`);
  const { plan } = await workspace.init({ goal: 'Bake bread', settings }).result;
  expect(plan).toMatchObject({ status: 'complete', usage: { calls: 2 } });
  expect(readFileSync(join(bin, 'asked'), 'utf8')).toBe('first\nagain\n');
});

test('a command that fails, or is not there, pauses the plan and is told with what it said', async () => {
  const failing = userOf(`console.error('\\u001b[31mlogin required'); process.exit(3);`);
  const { plan, stopped } = await failing.workspace.init({ goal: 'Bake bread', settings }).result;
  expect(plan).toMatchObject({ status: 'paused', paused_because: 'model' });
  expect(stopped).toMatchObject({
    code: 'MODEL_FAILED',
    message: expect.stringContaining('exec:claude ended with status 3') as unknown,
  });
  expect(stopped?.message).toContain('login required');
  expect(stopped?.message).not.toContain('\u001b');
  const none = await failing.workspace.init({ goal: 'Sell bread', settings: { model: 'exec:codex' } }).result;
  expect(none.stopped?.hint).toContain('Is codex installed');
  await expect(
    failing.workspace.init({ goal: 'x', settings: { model: 'exec:nothing' } }).result,
  ).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
  });
});

test.each([
  [
    'fails',
    `console.error('no: ' + process.env.OPENAI_API_KEY); console.log(process.env.GH_TOKEN); process.exit(3);`,
  ],
  ['fails in its answer', `console.log('no: ' + process.env.GH_TOKEN); process.exit(3);`],
  [
    'has them in its reply',
    `console.log(JSON.stringify({ reasoning: process.env.OPENAI_API_KEY, atomic: true, sub_goals: [] }));`,
  ],
  ['hangs', `console.log('no: ' + process.env.OPENAI_API_KEY); setInterval(() => undefined, 1000);`],
])('a command that %s tells nobody the keys that it was given', async (_what, script) => {
  const secrets = { OPENAI_API_KEY: 'sk-0123456789abcdef', GH_TOKEN: 'gh-0123456789abcdef' };
  const { folder, workspace } = userOf(script, secrets);
  await workspace.init({ goal: 'Bake bread', settings: { ...settings, timeout_ms: 3000 } }).result;
  const files = readdirSync(join(folder, '.plans'), { recursive: true, withFileTypes: true });
  const kept = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const text = kept.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(text).toContain('[key]');
  expect(text).not.toContain('0123456789abcdef');
});

test('a variable that is named after something else is no secret', async () => {
  const { workspace } = userOf('console.error(process.env.GIT_AUTHOR_NAME); process.exit(3);', {
    GIT_AUTHOR_NAME: 'Ana of the bakery',
  });
  const { stopped } = await workspace.init({ goal: 'Bake bread', settings }).result;
  expect(stopped?.message).toContain('Ana of the bakery');
});

test('a budget in dollars is refused, for what a command costs is not known', async () => {
  const { bin, workspace } = userOf(`require('node:fs').writeFileSync(__dirname + '/asked', '');`);
  await expect(
    workspace.init({ goal: 'Bake bread', settings: { ...settings, budget: { usd: 0 } } }).result,
  ).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: 'a budget in US dollars cannot be kept: what exec:claude costs is not known',
  });
  expect(readdirSync(bin)).not.toContain('asked');
});

test('a command that hangs and ignores what it is told is ended with all that it has started', async () => {
  const { bin, workspace } = userOf(`process.on('SIGTERM', () => undefined);
const here = require('node:path').dirname(process.argv[1]);
const child = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)"], { stdio: 'inherit' });
require('node:fs').writeFileSync(here + '/pids', process.pid + ' ' + child.pid);
setInterval(() => undefined, 1000);`);
  const { stopped } = await workspace.init({
    goal: 'Bake bread',
    settings: { ...settings, timeout_ms: 1500 },
  }).result;
  expect(stopped?.message).toContain('gave no reply within');
  const pids = readFileSync(join(bin, 'pids'), 'utf8').split(' ').map(Number);
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.filter(isThere), { timeout: 5000 }).toEqual([]);
});

test('a command that waits for a sign-in is ended in time, and what it said last is told', async () => {
  const { workspace } = userOf(
    `process.on('SIGTERM', () => console.error('Cancelled.'));
process.stdout.write('OpenAI Codex (research preview)\\n' + 'prompt '.repeat(2000) + '\\n');
console.error('To sign in, open https://auth.example/device and enter the code ABCD-1234');
setInterval(() => undefined, 1000);`,
  );
  const { plan, stopped } = await workspace.init({
    goal: 'Bake bread',
    settings: { ...settings, timeout_ms: 1500 },
  }).result;
  expect(plan).toMatchObject({ status: 'paused', total_goals: 1 });
  expect(stopped).toMatchObject({
    code: 'MODEL_FAILED',
    message: expect.stringMatching(
      /exec:claude gave no reply within 2 s and was ended; it had said last: .*To sign in, open https:\/\/auth\.example\/device and enter the code ABCD-1234/,
    ) as unknown,
    hint: expect.stringContaining('If it waits for a sign-in, run it by hand once') as unknown,
  });
});

test('a command that leaves something behind which holds its output open is not waited for', async () => {
  const { bin, workspace } = userOf(`${READ}
const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(()=>{},1000)'], { stdio: 'inherit' });
fs.writeFileSync(here + '/pids', String(child.pid));
child.unref();
console.log('{"reasoning":"small","atomic":true,"sub_goals":[]}');
process.exit(0);`);
  const { plan } = await workspace.init({ goal: 'Bake bread', settings }).result;
  expect(plan.status).toBe('complete');
  const left = Number(readFileSync(join(bin, 'pids'), 'utf8'));
  await expect.poll(() => isThere(left), { timeout: 5000 }).toBe(false);
});

test('a repository starts no command that the user has not trusted, nor one of its own', async () => {
  const { folder, home, bin, workspace } = userOf(`${READ}fs.writeFileSync(here + '/started', '');
console.log('{"reasoning":"small","atomic":true,"sub_goals":[]}');`);
  mkdirSync(join(folder, '.plans'));
  const config = join(folder, '.plans', 'config.json');
  writeJsonSync(config, { expander: 'model', model: 'exec:claude' });
  await expect(workspace.init({ goal: 'Bake bread' }).result).rejects.toMatchObject({
    code: 'UNTRUSTED_COMMAND',
    hint: expect.stringContaining('plan config trust-command exec:claude') as unknown,
  });
  expect(readdirSync(bin)).toEqual(['claude']);
  writeJsonSync(config, { model: 'exec:command', model_command: ['touch', join(home, 'harm')] });
  await expect(workspace.init({ goal: 'Bake bread' }).result).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
  });
  writeJsonSync(config, { expander: 'model', model: 'exec:claude' });
  expect(await workspace.config.trustCommand('exec:claude')).toMatchObject({
    command: expect.arrayContaining(['claude']) as unknown,
  });
  expect((await workspace.init({ goal: 'Bake bread' }).result).plan.status).toBe('complete');
  expect(readdirSync(bin).toSorted()).toEqual(['claude', 'started']);
});

test('the user’s own command is what his config says, word by word and without a shell', async () => {
  const { home, bin, workspace } =
    userOf(`${READ}fs.writeFileSync(here + '/args', JSON.stringify(process.argv.slice(2)));
console.log('{"reasoning":"small","atomic":true,"sub_goals":[]}');`);
  outputJsonSync(join(home, '.config', 'frctl', 'config.json'), {
    model_command: ['claude', '$(touch harm)', 'a b'],
  });
  const { plan } = await workspace.init({ goal: 'Bake bread', settings: { model: 'exec:command' } }).result;
  expect(plan.status).toBe('complete');
  expect(readJsonSync(join(bin, 'args'))).toEqual(['$(touch harm)', 'a b']);
});

test('a command is not told the key of another model, nor where the database of the team is', async () => {
  const { bin, workspace } = userOf(
    `${READ}fs.writeFileSync(here + '/told', Object.keys(process.env).join(' '));
console.log('{"reasoning":"small","atomic":true,"sub_goals":[]}');`,
    {
      FRCTL_API_KEY: 'sk-other',
      FRCTL_DATABASE_URL: 'postgres://ana:secret@db/frctl',
      CLAUDE_KEY: 'its own',
    },
  );
  expect((await workspace.init({ goal: 'Bake bread', settings }).result).plan.status).toBe('complete');
  const told = readFileSync(join(bin, 'told'), 'utf8').split(' ');
  expect(told).toContain('CLAUDE_KEY');
  expect(told.filter((name) => name.startsWith('FRCTL_'))).toEqual([]);
});

test('servers of models on this machine are found, and only what they are is asked', async () => {
  const asked: string[] = [];
  const serve = (body: string, wait = 0) =>
    new Promise<string>((resolve) => {
      const server = createServer((request, response) => {
        asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
        setTimeout(() => response.end(body), wait);
      });
      onTestFinished(() => server.closeAllConnections());
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`);
      });
    });
  const list = JSON.stringify({ object: 'list', data: [{ id: 'qwen3:8b' }] });
  const places = [
    { name: 'Ollama', baseUrl: await serve(list) },
    { name: 'slow', baseUrl: await serve(list, 20_000) },
    { name: 'a web site', baseUrl: await serve('<html>') },
    {
      name: 'hostile',
      baseUrl: await serve(JSON.stringify({ object: 'list', data: [{ id: '; rm -rf ~' }] })),
    },
    { name: 'nobody', baseUrl: 'http://127.0.0.1:1/v1' },
  ];
  expect(await findLocalServers(places, 3000)).toEqual([{ ...places[0], model: 'qwen3:8b' }]);
  expect(asked[0]).toBe('GET /v1/models ');
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a command is asked once more which leaves need each other', async () => {
  const tree = uniformTree(1, 2);
  const needs = { needs: { 1: [], 2: ['1'] }, missing: [{ what: 'A domain', used_by: ['2'] }] };
  const { home, workspace } = userOf(
    knowing(tree, `if (input.includes('<leaves>')) answers[goal] = ${JSON.stringify(needs)};`),
  );
  writeFileSync(join(home, '.config', 'frctl', 'config.json'), '{"link": true}');
  const { plan } = await workspace.init({ goal: tree.description, settings }).result;
  expect(plan.usage.calls).toBe(2);
  expect((await workspace.status()).linked).toMatchObject({ missing: [{ what: 'A domain' }] });
});

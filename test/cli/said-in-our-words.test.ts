import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { newUser, summaryOf } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

function place() {
  const folder = temporaryFolder();
  return openWorkspace({ environment: { workingFolder: folder, homeFolder: folder, variables: {} } });
}

describe('what is said', () => {
  test('a warning is gone when the goal is divided or done', async () => {
    const workspace = place();
    const { plan } = await workspace.init('Paint the fence').result;
    expect(plan.warnings).toMatchObject([{ code: 'no_method' }]);
    await workspace.split('root', { into: ['Get three balls', 'Practise'] }).result;
    expect((await workspace.status()).plan.warnings).toEqual([]);
    const other = await workspace.init('Clean the kitchen').result;
    expect(other.plan.warnings).toMatchObject([{ code: 'no_method' }]);
    await workspace.complete('root');
    expect((await workspace.status()).plan.warnings).toEqual([]);
  });

  test('prose in which no goal is found is told of, and one that names a goal is not', async () => {
    const user = newUser();
    const prose = 'Members should borrow tools. We want photos.\n\nIt would be nice to be reminded.\n';
    writeFileSync(join(user.folder, 'PRD.md'), `# Tool library\n\n${prose}`);
    const told = await user.run(['init', '--from', 'PRD.md']);
    expect(told.error).toContain('the rules find nothing in PRD.md that tells what to do in parts');
    expect(told.error).toContain('plan split root --into');
    writeFileSync(join(user.folder, 'PRD.md'), `# Tool library\n\n${prose}\n- Lend tools\n`);
    expect((await user.run(['init', '--from', 'PRD.md'])).error).not.toContain('has no list');
  });

  test('a file is taken for no goal, and what is given twice is not passed over', async () => {
    const user = newUser();
    for (const name of ['A.md', 'B.md']) writeFileSync(join(user.folder, name), '- one\n- two\n');
    const refused = async (...args: readonly string[]) => {
      const { status, error } = await user.run(['init', ...args]);
      return [status, error];
    };
    expect(await refused('A.md')).toEqual([2, expect.stringContaining('`plan init --from A.md`')]);
    expect(await refused('--from', 'A.md', 'B.md')).toEqual([2, expect.stringContaining('B.md is a second')]);
    expect(await refused('--from', 'A.md', '--from', 'B.md')).toEqual([
      2,
      expect.stringContaining('--from was given twice'),
    ]);
    expect((await user.run(['list'])).out).not.toMatch(/\d/);
    expect((await user.run(['init', 'Read A.md', '--from', 'A.md'])).status).toBe(0);
    expect((await user.run(['init', 'word '.repeat(300), '--dry-run'])).status).toBe(0);
  });

  test('who plans a plan that an agent plans is named, and which half of a model is missing', async () => {
    const user = newUser();
    const plan = summaryOf((await user.run(['init', 'Bake bread', '--expander', 'agent', '--json'])).json());
    expect((await user.run(['next'])).error).toContain(`\`plan ask ${plan.id}\` goes on planning`);
    const answer = JSON.stringify({ goal: 'root', atomic: true });
    await user.run(['answer', '--from', '-'], {}, answer);
    await user.run(['undo', '--yes']);
    expect((await user.run(['status'])).out).toContain(`\`plan ask ${plan.id}\` goes on planning`);
    await user.run(['config', 'set', 'model', 'qwen3', '--user']);
    expect((await user.run(['init', 'Bake cake'])).error).toContain(
      'the model qwen3 is set, but no server for it. `plan config set base_url URL --user`',
    );
    const local = await user.run(['init', 'Bake cake', '--base-url', 'localhost:11434']);
    expect(local.status).toBe(2);
    expect(local.error).toContain('hint: Write http://localhost:11434, or https://.');
    expect((await user.run(['init', 'Bake', '--base-url', 'ada:s3cret@host'])).error).not.toContain('s3cret');
  });

  test('what is written to - is on standard output, and no file', async () => {
    const user = newUser();
    await user.run(['init', 'Write a note', '--no-decompose']);
    const svg = await user.run(['export', '--format', 'svg', '-o', '-']);
    expect([svg.out.slice(0, 4), svg.error]).toEqual(['<svg', '']);
    writeFileSync(
      join(user.folder, 'p.json'),
      '{"schema_version":"1.0","steps":[{"id":"a","tool":"t","args":{}}]}',
    );
    expect((await user.run(['convert', 'p.json', '--to', 'plan-lint', '-o', '-', '--lossy'])).out).toContain(
      '"steps"',
    );
    expect(existsSync(join(user.folder, '-'))).toBe(false);
    expect((await user.run(['export', '--format', 'backlog', '-o', '-'])).status).toBe(2);
  });

  test('what a goal waits for by way of a goal above it is shown, and what waits for it', async () => {
    const user = newUser();
    await user.run(['init', 'Ship it', '--no-decompose']);
    await user.run(['split', 'root', '--into', 'Plan', 'Roll out']);
    await user.run(['split', '1', '--into', 'Ask', 'Write']);
    await user.run(['split', '2', '--into', 'Tell', 'Send']);
    await user.run(['depend', '2', '--on', '1']);
    expect((await user.run(['show', '2.1'])).out).toContain('Depends on\n  1 Plan [divided], via 2\n');
    expect((await user.run(['show', '1.2'])).out).toContain('Needed by\n  2 Roll out [divided], via 1\n');
    await user.run(['depend', '2.1', '--on', '1']);
    expect((await user.run(['show', '2.1', '--json'])).json()).toMatchObject({
      dependencies: [{ number: '1' }],
      inherited_dependencies: [],
    });
  });

  test('the way from a goal to its run is named at each step', async () => {
    const user = newUser();
    await user.run(['init', 'Write a note', '--no-decompose']);
    await user.run(['split', 'root', '--into', 'Write it', 'Announce the exports in NEWS.md']);
    const none = (await user.run(['draft', '1'])).error;
    for (const way of [
      'plan prepare STEPS.json --goal 1',
      'plan ask --kind action_plan --goal 1 --tools FILE',
    ])
      expect(none).toContain(way);
    expect((await user.run(['prepare', '1'])).error).toContain('`plan draft 1 --tools FILE`');
    expect((await user.run(['prepare', 'steps.json'])).error).toContain('ap-…');
    mkdirSync(join(user.folder, '.plans/methods'));
    const method = {
      name: 'announce',
      title: 'Announcement',
      reasoning: 'One line.',
      fits: [{ verbs: ['announce'], object: [['exports']] }],
      slots: { file: { after: ['in'] } },
      steps: [{ id: 'news', tool: 'news.append', args: { path: '{file}' } }],
    };
    writeFileSync(join(user.folder, '.plans/methods/announce.yaml'), JSON.stringify(method));
    const draft = async () => (await user.run(['draft', '2'])).out;
    const [, first = ''] = /Prepare it: {2}plan prepare (ap-\w+)\n$/.exec(await draft()) ?? [];
    expect(await draft()).toContain(`The goal has another too: ${first}.\nPrepare it:  plan prepare ap-`);
    expect((await user.run(['prepare', '2'])).error).toMatch(/`plan prepare ap-\w+` prepares its latest/);
    expect((await user.run(['prepare', first])).error).toContain('--tools FILE');
  });

  test('numbers that shift are said once, and statuses in the words of the screen', async () => {
    const user = newUser();
    await user.run(['init', 'Paint the fence, water the roses and mow the lawn']);
    const removed = await user.run(['remove', '1']);
    expect(removed.error).toContain('Numbers have shifted: 2 is 1 now, 3 is 2 now.');
    expect(removed.out).toBe('- 1  Paint the fence\n');
    expect((await user.run(['edit', '1', '--description', 'Water the lawn'])).error).toBe('');
    expect((await user.run(['split', '1', '--into', 'Fill the can', 'Empty it'])).out).toContain(
      'status: to do → divided',
    );
  });

  test('a command that is given wrongly is shown as it is used', async () => {
    const user = newUser();
    const hint = async (...args: readonly string[]) => (await user.run(args)).error.split('\n')[1];
    expect(await hint('rename')).toBe(
      'hint: Usage: plan edit|rename [options] <goal> [words...]. Add --help to see more.',
    );
    expect(await hint('claim')).toBe(
      'hint: Usage: plan claim|start [options] <goal> [others...]. Add --help to see more.',
    );
    expect(await hint('nonsense')).toBe('hint: `plan help --all` lists every command.');
    const all = '`plan help --all` lists every command.';
    expect(await hint('unarchive')).toBe(`hint: Did you mean \`plan restore\`? ${all}`);
    expect(await hint('version')).toBe(`hint: Did you mean \`plan --version\`? ${all}`);
    expect(await hint('stauts')).toBe(`hint: Did you mean \`plan status\`? ${all}`);
    expect(await hint('help', 'nosuch')).toBe(`hint: ${all}`);
  });

  test('why a reply was refused is said once, and of many errors the first', async () => {
    const user = newUser();
    const sub_goals = Array.from({ length: 6 }, (_, key) => ({ key: `k${key}`, description: 'A part' }));
    const script = `#!/bin/sh\ncat > /dev/null\necho '${JSON.stringify({ atomic: false, sub_goals })}'\n`;
    writeFileSync(join(user.folder, 'claude'), script, { mode: 0o755 });
    const PATH = `${user.folder}:${process.env.PATH ?? ''}`;
    const { out, error, status } = await user.run(['init', 'Tidy', '--model', 'exec:claude'], { PATH });
    expect(status).toBe(5);
    const times = (text: string) => text.split('$.reasoning').length - 1;
    expect(times(out + error)).toBe(1);
    expect(error).toMatch(/; and \d+ more/);
    expect(times((await user.run(['status'])).out)).toBe(1);
  });

  test('what a library says of wrong input is said in our words', async () => {
    const user = newUser();
    await user.run(['init', 'Tidy', '--no-decompose']);
    const error = async (...args: readonly string[]) => (await user.run(args)).error.split('\n')[0];
    expect(await error('config', 'set', 'max_depth', '99')).toMatch(/max_depth must be at most 64, not 99$/);
    expect(await error('export', '--format', 'pdf')).toMatch(
      /^error: --format must be one of json, .*, not "pdf"$/,
    );
    expect(await error('claim')).toBe('error: <goal> is missing');
    expect(await error('tree', '--depth')).toBe('error: --depth needs a value');
  });
});

test('a goal that no rule can divide is told with the ways on, and with no place to begin', async () => {
  const user = newUser();
  const { error } = await user.run(['init', 'Reconcile my two grandfathers', '--expander', 'rules']);
  expect(error).toMatch(/warning: no rule knows how to divide this goal\..*plan replan root --model NAME/);
  expect(error).not.toContain('plan next');
  expect((await user.run(['init', 'Build a REST API', '--expander', 'rules'])).error).toContain(
    '`plan next`',
  );
});

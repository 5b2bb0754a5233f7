import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { PlanError } from '../../src/kernel/errors.js';
import { openWorkspace } from '../../src/workspace.js';
import { failing, workbench } from '../support/executing.js';
import type { Bench } from '../support/executing.js';
import { temporaryFolder } from '../support/folders.js';

/** A workspace with the tools of a test, none of which needs an approval. */
function place(bench: Bench = {}) {
  const folder = temporaryFolder();
  const made = workbench({ ...bench, effects: { t: 'none', ...bench.effects } }, ['t']);
  const workspace = openWorkspace({ environment: { workingFolder: folder }, toolbox: made.toolbox });
  const write = (name: string, plan: object) => {
    writeFileSync(join(folder, name), JSON.stringify({ schema_version: '1.0', goal: 'g', ...plan }));
    return name;
  };
  return { folder, made, workspace, write };
}

const step = (id: string, more: object = {}) => ({ id, tool: 't', args: { id }, ...more });

describe('what prepare refuses', () => {
  const refused = async (plan: object, bench?: Bench) => {
    const { workspace, write } = place(bench);
    return workspace.prepare(write('p.json', plan)).then(
      () => 'prepared',
      (error: { code: string; details: { rule?: string } }) =>
        `${error.code} ${error.details.rule ?? ''}`.trim(),
    );
  };

  test('O10: a dependency on a step that there is not', async () => {
    expect(await refused({ steps: [step('a', { depends_on: ['z'] })] })).toBe(
      'INVALID_INPUT UNKNOWN_REFERENCE',
    );
  });

  test('O11: steps that need each other', async () => {
    const steps = [step('a', { depends_on: ['b'] }), step('b', { depends_on: ['a'] })];
    expect(await refused({ steps })).toBe('INVALID_INPUT LOOP_DETECTED');
  });

  test('O27, C3: a reference to a step or a variable that there is not', async () => {
    for (const text of ['$steps.zz.v', '$vars.q', '${context.q}', '${nothing}'])
      expect(await refused({ steps: [step('a', { args: { x: text } })] })).toBe(
        'INVALID_INPUT UNKNOWN_REFERENCE',
      );
  });

  test('O32: no attempt at all', async () => {
    expect(await refused({ steps: [step('a', { retry: { max_attempts: 0 } })] })).toMatch(/^INVALID_INPUT/);
  });

  test('O33: two steps of one name', async () => {
    expect(await refused({ steps: [step('a'), step('a')] })).toBe('INVALID_INPUT DUPLICATE_ID');
  });

  test('S9, S13, N11: a tool, a condition or a verification that nothing is bound to', async () => {
    expect(await refused({ steps: [step('a', { tool: 'u' })] })).toBe('INVALID_INPUT UNBOUND_TOOL');
    const check = { type: 'wa:pane_exists', args: {} };
    for (const part of ['preconditions', 'verifications'])
      expect(await refused({ steps: [step('a', { [part]: [check] })] })).toBe(
        'INVALID_INPUT UNBOUND_CONDITION',
      );
    expect(await refused({ preconditions: [check], steps: [step('a')] })).toBe(
      'INVALID_INPUT UNBOUND_CONDITION',
    );
  });

  test('S19: a plan without steps', async () => {
    expect(await refused({ steps: [] })).toMatch(/^INVALID_INPUT/);
  });

  test('C12: a member that stands twice, and a step with both args and parameters', async () => {
    const { workspace, folder } = place();
    for (const text of [
      '{"schema_version":"1.0","goal":"g","goal":"h","steps":[{"id":"a","tool":"t","args":{}}]}',
      '{"goal":"g","steps":[{"id":"a","tool":"t","args":{},"parameters":{}}]}',
    ]) {
      writeFileSync(join(folder, 'p.json'), text);
      await expect(workspace.prepare('p.json')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    expect(await workspace.runs.list().catch(() => ({ runs: [] }))).toMatchObject({ runs: [] });
  });

  test('C11: what the plan itself wants to be passed over counts all the same', async () => {
    const metadata = { 'x-frctl-suppress': [{ rule: 'DUPLICATE_ID', reason: 'r' }] };
    expect(await refused({ metadata, steps: [step('a'), step('a')] })).toMatch(/^INVALID_INPUT DUPLICATE_ID/);
  });

  test('arguments that the schema of the tool refuses already', async () => {
    const schemas = { t: { type: 'object', properties: { n: { type: 'integer' } } } };
    expect(await refused({ steps: [step('a', { args: { n: 'x' } })] }, { schemas })).toBe(
      'INVALID_INPUT INVALID_ARGUMENT',
    );
  });
});

describe('a run from its preparation to its end', () => {
  test('is prepared, carried out once, and shown', async () => {
    const { workspace, write, made } = place();
    const prepared = await workspace.prepare(write('p.json', { steps: [step('a'), step('b')] }));
    expect(prepared).toMatchObject({
      plan_id: prepared.run,
      requires_approval: false,
      approval: null,
      commit_command: `plan run ${prepared.run}`,
    });
    expect((await workspace.runs.list()).runs).toMatchObject([{ run: prepared.run, status: 'prepared' }]);
    const run = workspace.run(prepared.run);
    const events: string[] = [];
    for await (const event of run) if (event.type === 'run_event') events.push(event.event.type);
    expect(await run.result).toMatchObject({ status: 'succeeded', counts: { succeeded: 2 } });
    expect(events).toEqual([
      'attempt_started',
      'attempt_ended',
      'attempt_started',
      'attempt_ended',
      'run_ended',
    ]);
    expect(made.calls.map(({ args }) => args.id)).toEqual(['a', 'b']);
    // A run is carried out once.
    const again = await workspace.run(prepared.run).result.catch((thrown: unknown) => thrown);
    expect(again).toMatchObject({ code: 'E_PLAN_CONSUMED', details: { run: prepared.run } });
    // What is wrong stands there without the name of the run as well, so that nobody need take the message apart.
    const { message, details } = again as PlanError;
    expect(message).toBe(`${prepared.run} does not run: ${String(details.problem)}`);
    expect(made.calls).toHaveLength(2);
    expect(await workspace.runs.show(prepared.run)).toMatchObject({
      status: 'succeeded',
      unknown: [],
      steps: [
        { step: 'a', state: 'succeeded' },
        { step: 'b', state: 'succeeded' },
      ],
    });
    const { events: log } = await workspace.runs.log(prepared.run);
    expect(log.map(({ type }) => type)).toEqual(['run_prepared', 'run_started', ...events]);
  });

  test('W1: a run that there is not, and a name that is none', async () => {
    const { workspace, write } = place();
    await workspace.prepare(write('p.json', { steps: [step('a')] }));
    for (const name of ['run-00000000', '../x', '', 'run-0000000/..'])
      await expect(workspace.run(name).result).rejects.toMatchObject({ code: 'E_PLAN_NOT_FOUND' });
  });

  test('W3: a preparation holds at its last moment, and not after it', async () => {
    const folder = temporaryFolder();
    const made = workbench({ effects: { t: 'none' } }, ['t']);
    let now = Date.parse('2026-03-01T12:00:00Z');
    const environment = { workingFolder: folder, now: () => now };
    const workspace = openWorkspace({ environment, toolbox: made.toolbox });
    writeFileSync(
      join(folder, 'p.json'),
      JSON.stringify({ schema_version: '1.0', goal: 'g', steps: [step('a')] }),
    );
    const [one, two] = [
      await workspace.prepare('p.json', { ttl: '1m' }),
      await workspace.prepare('p.json', { ttl: '1m' }),
    ];
    now += 60_000;
    expect(await workspace.run(one.run).result).toMatchObject({ status: 'succeeded' });
    now += 1;
    await expect(workspace.run(two.run).result).rejects.toMatchObject({ code: 'E_PLAN_EXPIRED' });
    expect((await workspace.runs.show(two.run)).status).toBe('expired');
  });

  test('W6, C1: the file changed since it was prepared; --snapshot runs what was prepared', async () => {
    const { workspace, write, made } = place();
    const { run } = await workspace.prepare(write('p.json', { steps: [step('a')] }));
    write('p.json', { steps: [step('other')] });
    await expect(workspace.run(run).result).rejects.toMatchObject({ code: 'E_PLAN_HASH_MISMATCH' });
    expect(made.calls).toHaveLength(0);
    expect(await workspace.run(run, { snapshot: true }).result).toMatchObject({ status: 'succeeded' });
    expect(made.calls.map(({ args }) => args.id)).toEqual(['a']);
  });

  test('a tool that is another one by now does not run', async () => {
    const { workspace, write, folder } = place();
    const { run } = await workspace.prepare(write('p.json', { steps: [step('a')] }));
    const other = workbench({ effects: { t: 'idempotent' } }, ['t']);
    const changed = openWorkspace({ environment: { workingFolder: folder }, toolbox: other.toolbox });
    await expect(changed.run(run).result).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
    expect(other.calls).toHaveLength(0);
  });

  test('W8: what acts is not carried out without an approval', async () => {
    const { workspace, write, made } = place({ effects: { t: 'once' } });
    const { run, requires_approval } = await workspace.prepare(write('p.json', { steps: [step('a')] }));
    expect(requires_approval).toBe(true);
    await expect(workspace.run(run).result).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    expect(made.calls).toHaveLength(0);
    expect((await workspace.runs.show(run)).status).toBe('prepared');
  });

  test('N1: a precondition of the plan that does not hold: nothing runs, and nothing is used up', async () => {
    let holds = false;
    const { workspace, write, made } = place({ conditions: { ready: () => holds } });
    const plan = { preconditions: [{ type: 'ready', args: {} }], steps: [step('a')] };
    const { run } = await workspace.prepare(write('p.json', plan));
    await expect(workspace.run(run).result).rejects.toMatchObject({ code: 'E_PLAN_PRECONDITION_FAILED' });
    expect(made.calls).toHaveLength(0);
    holds = true;
    expect(await workspace.run(run).result).toMatchObject({ status: 'succeeded' });
  });

  test('O36: a run that is carried out is not carried out a second time at once', async () => {
    let go = () => undefined as void;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { workspace, write, made } = place({
      tools: {
        t: async () => {
          await gate;
          return null;
        },
      },
    });
    const { run } = await workspace.prepare(write('p.json', { steps: [step('a')] }));
    const first = workspace.run(run);
    for await (const event of first) if (event.type === 'run_event') break;
    await expect(workspace.run(run).result).rejects.toMatchObject({ code: 'RUN_BUSY' });
    go();
    expect(await first.result).toMatchObject({ status: 'succeeded' });
    expect(made.calls).toHaveLength(1);
  });

  test('a run that failed says where and why, and what can be done', async () => {
    const { workspace, write } = place({ tools: { t: () => failing('the disk is full') } });
    const { run } = await workspace.prepare(
      write('p.json', { steps: [step('a'), step('b', { depends_on: ['a'] })] }),
    );
    expect(await workspace.run(run).result).toMatchObject({
      status: 'failed',
      failed: 'a',
      reason: 'the disk is full',
    });
    expect(await workspace.runs.show(run)).toMatchObject({
      status: 'failed',
      steps: [
        { step: 'a', state: 'failed', error: { message: 'the disk is full' } },
        { step: 'b', state: 'skipped', skipped_because: 'dependency: a' },
      ],
      next: [{ command: expect.stringContaining('plan prepare') }],
    });
  });
});

describe('looking after runs', () => {
  test('abort ends a run that nobody carries out, once', async () => {
    const { workspace, write } = place();
    const { run } = await workspace.prepare(write('p.json', { steps: [step('a')] }));
    expect(await workspace.abort(run, { reason: 'no' })).toMatchObject({ status: 'aborted' });
    await expect(workspace.abort(run)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    await expect(workspace.run(run).result).rejects.toMatchObject({ code: 'WRONG_STATE' });
  });

  test('prune removes what is over and nothing else', async () => {
    const { workspace, write } = place();
    const name = write('p.json', { steps: [step('a')] });
    const [one, two] = [await workspace.prepare(name), await workspace.prepare(name)];
    await workspace.run(one.run).result;
    expect(await workspace.runs.prune()).toEqual({ removed: [], kept: 2 });
    await expect(workspace.runs.prune([two.run])).rejects.toMatchObject({ code: 'WRONG_STATE' });
    await expect(workspace.runs.prune([one.run], { olderThan: '1d' })).rejects.toMatchObject({
      code: 'USAGE',
    });
    expect(await workspace.runs.prune([one.run, one.run])).toEqual({ removed: [one.run], kept: 1 });
    expect((await workspace.runs.list()).runs.map(({ run }) => run)).toEqual([two.run]);
  });
});

describe('a run that carries out a goal', () => {
  const goalPlace = async () => {
    const made = place();
    const { plan } = await made.workspace.init({ goal: 'Write a note', decompose: false }).result;
    await made.workspace.split('root', { into: ['Write it', 'Print it'] }).result;
    const { ready } = await made.workspace.status(plan.id);
    return { ...made, plan: plan.id, goal: ready[0] ?? '' };
  };

  test('is told in the log of the plan, and completes the goal with the token of its claim', async () => {
    const { workspace, write, plan, goal } = await goalPlace();
    const [claimed] = [await workspace.claim(goal)].flat();
    const token = JSON.stringify(claimed).match(/"token":"([^"]+)"/)?.[1] ?? '';
    const { run } = await workspace.prepare(write('p.json', { steps: [step('a')] }), { goal });
    const report = await workspace.run(run, { complete: token }).result;
    expect(report).toMatchObject({ status: 'succeeded', completed_goal: goal });
    expect((await workspace.show(goal)).goal.status).toBe('complete');
    const log = await workspace.log(plan);
    expect(log.map(({ message }) => message).join('\n')).toContain(`(${run})`);
  });

  const tokenOf = async ({
    workspace,
    goal,
  }: {
    workspace: ReturnType<typeof place>['workspace'];
    goal: string;
  }) => JSON.stringify(await workspace.claim(goal)).match(/"token":"([^"]+)"/)?.[1] ?? '';

  test('does nothing when its goal could not be completed afterwards: a wrong token, no goal, a goal that is done', async () => {
    const made = await goalPlace();
    const { workspace, write, goal } = made;
    const token = await tokenOf(made);
    const name = write('p.json', { steps: [step('a')] });
    const { run } = await workspace.prepare(name, { goal });
    for (const wrong of [`${token.slice(1)}0`, ''])
      await expect(workspace.run(run, { complete: wrong }).result).rejects.toMatchObject({
        message: expect.stringContaining('nothing was run'),
      });
    const alone = await workspace.prepare(name);
    await expect(workspace.run(alone.run, { complete: token }).result).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('--goal'),
    });
    expect(made.made.calls).toEqual([]);
    expect(await workspace.run(run, { complete: token }).result).toMatchObject({ completed_goal: goal });
    const late = await workspace.prepare(name, { goal });
    await expect(workspace.run(late.run, { complete: token }).result).rejects.toMatchObject({
      message: expect.stringContaining('nothing was run'),
    });
    expect(made.made.calls).toHaveLength(1);
  });

  test('tells its outcome also where its goal was taken away while it ran', async () => {
    const behaviour = { stealing: async () => undefined as unknown };
    const made = place({
      tools: {
        t: async () => {
          await behaviour.stealing();
          return 'done';
        },
      },
    });
    await made.workspace.init({ goal: 'Write a note', decompose: false }).result;
    await made.workspace.split('root', { into: ['Write it', 'Print it'] }).result;
    const { goal } = await made.workspace.show('1');
    const token = await tokenOf({ workspace: made.workspace, goal: goal.id });
    const { run } = await made.workspace.prepare(made.write('p.json', { steps: [step('a')] }), {
      goal: goal.id,
    });
    behaviour.stealing = () => made.workspace.release(goal.id, { force: true });
    expect(await made.workspace.run(run, { complete: token }).result).toMatchObject({
      status: 'succeeded',
      completed_goal: null,
      goal_refused: { code: 'REFUSED', message: expect.stringContaining('no claim on goal 1') },
    });
    await expect(made.workspace.run(run).result).rejects.toMatchObject({
      code: 'E_PLAN_CONSUMED',
      hint: expect.stringContaining('Nothing is left to run'),
    });
  });

  test('says so when its plan could not be told of it, for its goal was removed', async () => {
    const { workspace, write, goal } = await goalPlace();
    const { run } = await workspace.prepare(write('p.json', { steps: [step('a')] }), { goal });
    await workspace.remove(goal);
    expect(await workspace.run(run).result).toMatchObject({
      status: 'succeeded',
      goal_refused: { code: 'REFUSED', message: expect.stringContaining('does not record the run') },
    });
  });

  test('is prepared from steps alone, which need no goal of their own', async () => {
    const { workspace, folder, goal } = await goalPlace();
    writeFileSync(join(folder, 'steps.json'), JSON.stringify({ schema_version: '1.0', steps: [step('a')] }));
    expect(await workspace.prepare('steps.json', { goal })).toMatchObject({ goal, dialect: 'frctl' });
    expect(await workspace.lint(['steps.json'])).toMatchObject({
      files: [{ clean: true, dialect: 'frctl' }],
    });
    // Without the version it is a plan of Plan-Lint, which asks for a goal, and that is said.
    writeFileSync(join(folder, 'steps.json'), JSON.stringify({ steps: [step('a')] }));
    await expect(workspace.prepare('steps.json', { goal })).rejects.toMatchObject({
      message: expect.stringContaining('goal is missing, which Plan-Lint asks for'),
    });
    writeFileSync(join(folder, 'steps.json'), JSON.stringify({ goal: 'g', steps: [step('a')] }));
    expect(await workspace.prepare('steps.json')).toMatchObject({ dialect: 'plan-lint' });
  });

  test('is no stranger to the doctor', async () => {
    const { workspace, write } = await goalPlace();
    await workspace.prepare(write('p.json', { steps: [step('a')] }));
    expect(JSON.stringify(await workspace.doctor())).not.toContain('STRANGE_FILE');
  });

  test('O44: a goal that waits for others is not carried out', async () => {
    const { workspace, write } = await goalPlace();
    await workspace.depend('2', { on: ['1'] });
    await expect(
      workspace.prepare(write('p.json', { steps: [step('a')] }), { goal: '2' }),
    ).rejects.toMatchObject({ code: 'WRONG_STATE' });
  });
});

import { once } from 'node:events';

import { describe, expect, test } from 'vitest';

import { checkLimit } from '../../src/features/runs/executor/check-conditions.js';
import { withBuiltins } from '../../src/features/runs/model/builtins.js';
import { scale } from '../faults/support/scale.js';
import { failing, runPlan, workbench, steppedClock } from '../support/executing.js';
import type { Behaviour, Bench, Call, RunOptions } from '../support/executing.js';
import type { Outcome, Toolbox } from '../../src/features/runs/model/tool.js';
import type { JsonValue } from '../../src/kernel/json/json-value.js';

type Step = Readonly<Record<string, unknown>>;

/** Looks that take no time, a second apart. */
const quick = () => ({ clock: steppedClock().clock, pollMs: 1000 });

const soul = (...steps: readonly Step[]) => ({
  task_id: 'task',
  title: 'a plan',
  description: '',
  created_at: '2026-01-01T00:00:00Z',
  meta: { rationale: [], risk_assessment: [], vendor_context: {} },
  steps: steps.map((step, index) => ({
    id: `step-${index + 1}`,
    title: 'Open',
    detail: '',
    tool: { kind: { Navigate: { url: 'https://example.com' } }, wait: 'DomReady', timeout_ms: null },
    validations: [],
    requires_approval: false,
    metadata: {},
    ...step,
  })),
});
const run = (steps: readonly Step[], bench: Bench = {}, options: RunOptions = {}) => {
  // What needs no binding is there as it is in a run of the command.
  const built = withBuiltins(workbench(bench, ['soul:Navigate']).toolbox);
  const tools = Object.fromEntries(
    ['agent.note', 'soul:Done'].map((name) => [
      name,
      ((call) => builtIn(built, name, call)) satisfies Behaviour,
    ]),
  );
  return runPlan(
    soul(...steps),
    { ...bench, tools: { ...tools, ...bench.tools } },
    { dialect: 'soulbrowser', ...options },
  );
};
async function builtIn({ tools }: Toolbox, name: string, call: Call): Promise<Outcome> {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`${name} is not built in`);
  return tool.call(call);
}
const visible = { description: 'seen', condition: { ElementVisible: { Css: '#a' } } };
const title = { description: 'title', condition: { TitleMatches: 'x' } };

describe('SoulBrowser', () => {
  test('S1: in order, and the first failure ends the run', async () => {
    const { bench, end } = await run([{}, {}, {}], {
      tools: { 'soul:Navigate': (_call, number) => (number === 2 ? failing() : null) },
    });
    expect(bench.calls).toHaveLength(2);
    expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'step-2' } });
  });

  test('S2: the action, then each validation by a look of its own; the first that fails fails the step', async () => {
    const { bench, end } = await run(
      [{ validations: [visible, title] }, {}],
      { conditions: { 'soul:ElementVisible': false, 'soul:TitleMatches': true } },
      quick(),
    );
    expect(bench.calls).toHaveLength(1);
    // As long as SoulBrowser itself looks for it.
    expect(bench.looks.map(({ type }) => type)).toEqual(Array(11).fill('soul:ElementVisible'));
    expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'step-1' } });
  });

  test('S2: a validation that comes late, within ten seconds, holds', async () => {
    const late = [...Array<boolean>(9).fill(false), true];
    const { end } = await run(
      [{ validations: [title] }],
      { conditions: { 'soul:TitleMatches': late } },
      quick(),
    );
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
  });

  test('S4: the limit of a step is that of its action; a look has its own', async () => {
    const slow = { ...visible, condition: { Duration: 40 } };
    const kind = { Navigate: { url: 'https://example.com' } };
    const { end } = await run([{ tool: { kind, wait: 'None', timeout_ms: 20 }, validations: [slow] }], {
      conditions: { 'soul:Duration': true },
    });
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    const limits = ['Duration', 'NetworkIdle', 'TitleMatches'].map((kindOfCheck) =>
      checkLimit({ type: `soul:${kindOfCheck}`, args: { value: 60_000 } }),
    );
    expect(limits).toEqual([61_000, 70_000, 10_000]);
    const late = await run([{ tool: { kind, wait: 'None', timeout_ms: 5 } }], {
      tools: {
        'soul:Navigate': async ({ signal }) => {
          await once(signal, 'abort');
          return failing('too late');
        },
      },
    });
    expect(late.end).toMatchObject({ end: { outcome: 'failed' } });
  });

  test('S5, S6: what is waited for is told to the tool; the document where the plan says nothing', async () => {
    const kind = { Navigate: { url: 'https://example.com' } };
    const { bench } = await run([
      { tool: { kind, wait: 'Idle' } },
      { tool: { kind } },
      { tool: { kind, wait: 'None' } },
    ]);
    expect(bench.calls.map(({ wait }) => wait)).toEqual(['idle', 'dom_ready', undefined]);
  });

  const answered = (output: JsonValue, tool = 'soul:Navigate') =>
    run([{}, {}], { tools: { [tool]: () => output } });

  test('S7: a tool that answers without success has failed, with the text that it gives', async () => {
    const answer = { success: false, error: 'x' };
    const json = JSON.stringify(answer);
    // As an MCP server says it in its structure or its text, a program or a web server in what it prints.
    for (const output of [
      answer,
      { ...answer, data: { text: 'a page' } },
      { text: json },
      { text: `${json}\n`, exit: 0 },
      { text: json, exit: 0, json: answer },
      { status: 200, headers: {}, text: json, json: answer },
    ]) {
      const { bench, end, run: state } = await answered(output);
      expect(bench.calls).toHaveLength(1);
      expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'step-1', reason: 'x' } });
      expect(state.instances.get('step-1')).toMatchObject({ error: { code: 'TOOL_FAILED', message: 'x' } });
    }
  });

  test('S7: a failure without a text says that the tool reported one', async () => {
    for (const error of [undefined, null, '', ' ', 5, {}]) {
      const { end } = await answered({ success: false, ...(error === undefined ? {} : { error }) });
      expect(end).toMatchObject({ end: { outcome: 'failed', reason: 'tool reported failure' } });
    }
  });

  test('S7: what says nothing of a failure is none', async () => {
    for (const output of [
      { success: true, error: 'x' },
      { success: 'false' },
      { error: 'x' },
      { success: true, text: '{"success": false}' },
      { url: 'https://example.com', text: '{"success": false}' },
      { text: 'not {"success": false}' },
      { text: '{"success": false', exit: 0 },
      [{ success: false }],
      null,
    ]) {
      const { bench, end } = await answered(output);
      expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
      expect(bench.calls).toHaveLength(2);
    }
    // Only the tools of SoulBrowser report it so.
    const plain = await runPlan(
      { goal: 'g', steps: [{ id: 'a', tool: 't', args: {} }] },
      { tools: { t: () => ({ success: false, error: 'x' }) } },
    );
    expect(plain.end).toMatchObject({ end: { outcome: 'succeeded' } });
  });

  test('S7: a failure that a tool reports is tried again only as any other is', async () => {
    const flaky: Bench = {
      tools: { 'soul:Navigate': (_call, number) => ({ success: number > 1, error: 'busy' }) },
    };
    expect((await run([{}], flaky)).end).toMatchObject({ end: { outcome: 'failed', reason: 'busy' } });
  });

  test('S8: a validation that fails is a failure; nothing is called that the plan does not say', async () => {
    const { bench } = await run(
      [{ validations: [title], metadata: { expected_url: 'https://example.com/x' } }],
      { conditions: { 'soul:TitleMatches': false } },
      quick(),
    );
    expect(bench.calls).toHaveLength(1);
  });

  test('S10: agent.note does nothing and succeeds with its text', async () => {
    const note = { tool: { kind: { Custom: { name: 'agent.note', payload: { message: 'hello' } } } } };
    const { run: state } = await run([note]);
    expect(state.instances.get('step-1')).toMatchObject({
      state: 'succeeded',
      output: { value: { text: 'hello' } },
    });
  });

  test('S10: any other tool is called, and fails as it says, whatever its name ends in', async () => {
    for (const name of ['agent.evaluate', 'weather.note']) {
      const custom = { tool: { kind: { Custom: { name, payload: {} } } } };
      const { bench, end } = await run([custom], { tools: { [name]: () => failing('no') } });
      expect(bench.calls.map(({ tool }) => tool)).toEqual([name]);
      expect(end).toMatchObject({ end: { outcome: 'failed', reason: 'no' } });
    }
  });

  test('S14: a payload that is not an object is given as it is', async () => {
    const custom = { tool: { kind: { Custom: { name: 'collect', payload: ['a', 'b'] } } } };
    const { bench } = await run([custom], { tools: { collect: () => null } });
    expect(bench.calls[0]?.args).toEqual({ value: ['a', 'b'] });
  });

  test('S11: Done that says that it failed ends the run as failed', async () => {
    const done = (success: boolean) => ({ tool: { kind: { Done: { success, text: 'no such page' } } } });
    expect((await run([done(true)])).end).toMatchObject({ end: { outcome: 'succeeded' } });
    expect((await run([done(false), {}])).end).toMatchObject({
      end: { outcome: 'failed', failed: 'step-1', reason: 'no such page' },
    });
  });

  test('S12: a step that requires an approval is not carried out without one', async () => {
    const first = await run([{ requires_approval: true }, {}]);
    expect(first.end.kind).toBe('waiting');
    expect(first.bench.calls).toHaveLength(0);
    const [{ args_digest } = { args_digest: undefined }] = first.run.waiting;
    const { prepared } = first.run;
    await first.log.append([
      {
        type: 'run_approved',
        approval: 'a1',
        digest: prepared.digest,
        tools_digest: prepared.tools_digest,
        workspace: prepared.workspace,
        scope: 'step-1',
        ...(args_digest === undefined ? {} : { args_digest }),
        via: 'terminal',
        expires_at: '2999-01-01T00:00:00Z',
        proof: 'p',
      },
    ]);
    const second = await first.again();
    expect(second.bench.calls).toHaveLength(2);
    expect(second.end).toMatchObject({ end: { outcome: 'succeeded' } });
  });

  test('S17: a step that fails is not dropped from the run', async () => {
    const parse = { tool: { kind: { Custom: { name: 'data.parse.weather', payload: {} } } } };
    const { end } = await run([{}, parse], { tools: { 'data.parse.weather': () => failing() } });
    expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'step-2' } });
  });
});

describe('Plan-Lint', () => {
  const plan = (...steps: readonly Step[]) => ({ goal: 'g', steps });
  const lint = (steps: readonly Step[], bench: Bench = {}) =>
    runPlan(plan(...steps), bench, { dialect: 'plan-lint' });
  const fails: Bench = { tools: { t: ({ args }) => (args.id === 'a' ? failing() : args) } };

  test('P1: on_fail absent and abort stop, continue skips', async () => {
    const step = (more: Step) => [
      { id: 'a', tool: 't', args: { id: 'a' }, ...more },
      { id: 'b', tool: 't', args: { id: 'b' } },
    ];
    expect((await lint(step({}), fails)).states).toEqual({ a: 'failed' });
    expect((await lint(step({ on_fail: 'abort' }), fails)).states).toEqual({ a: 'failed' });
    const on = await lint(step({ on_fail: 'continue' }), fails);
    expect(on.states).toEqual({ a: 'skipped', b: 'succeeded' });
    expect(on.end).toMatchObject({ end: { outcome: 'succeeded' } });
  });

  test('P2, P3: references in braces, typed when whole, order as dependencies do', async () => {
    const { bench } = await runPlan(
      {
        goal: 'g',
        context: { k: { deep: 7 } },
        steps: [
          { id: 'c', tool: 't', args: { n: '${context.k.deep}', both: 'k={{context.k.deep}}' } },
          {
            id: 'b',
            tool: 't',
            args: { whole: '{{a.result.x}}', text: 'x=${a.result.x}' },
            depends_on: ['a'],
          },
          { id: 'a', tool: 'first', args: {} },
        ],
      },
      { tools: { first: () => ({ x: 5 }) } },
      { dialect: 'plan-lint' },
    );
    expect(bench.calls.map(({ tool, args }) => [tool, args])).toEqual([
      ['t', { n: 7, both: 'k=7' }],
      ['first', {}],
      ['t', { whole: 5, text: 'x=5' }],
    ]);
  });
});

describe('calls and the policy', () => {
  test('C9, O40: what the policy refuses once the arguments are known is not called', async () => {
    const { bench, run: state } = await runPlan(
      { goal: 'g', steps: [{ id: 'a', tool: 't', args: { n: 5 } }] },
      {},
      { refusal: (_step, args) => (Number(args.n) > 3 ? 'n is too great' : null) },
    );
    expect(bench.calls).toHaveLength(0);
    expect(state.instances.get('a')).toMatchObject({
      attempt: 0,
      error: { code: 'POLICY_DENIED', message: 'n is too great' },
    });
  });

  test('C5: secrets are left out of what is written down, and the call is given them', async () => {
    const password = 'correct-horse-battery';
    const { bench, log } = await runPlan({
      goal: 'g',
      steps: [{ id: 'a', tool: 't', args: { password, n: 1 } }],
    });
    expect(bench.calls[0]?.args).toEqual({ password, n: 1 });
    const started = (await log.events()).find(({ type }) => type === 'attempt_started');
    expect(JSON.stringify(started)).not.toContain(password);
    expect(started).toMatchObject({ args: { n: 1 }, args_digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test('an output of more than 64 kB is kept beside the log, and comes back whole', async () => {
    const long = { text: 'x'.repeat(100_000), list: [1, 2, { deep: true }] };
    const {
      bench,
      log,
      run: state,
    } = await runPlan(
      {
        goal: 'g',
        steps: [
          { id: 'a', tool: 'long', args: {} },
          { id: 'b', tool: 't', args: { all: '$steps.a', one: '$steps.a.list.2.deep' } },
        ],
      },
      { tools: { long: () => long } },
    );
    expect(bench.calls.at(-1)?.args).toEqual({ all: long, one: true });
    expect(state.instances.get('a')?.output).toHaveProperty('file');
    expect(Math.max(...(await log.events()).map((event) => JSON.stringify(event).length))).toBeLessThan(
      10_000,
    );
  });

  const MANY = scale(10_000, 2_000);
  test(`${MANY} items run eight at once, their outputs in the order of the items, nothing kept twice`, async () => {
    const many = Array.from({ length: MANY }, (_none, index) => index);
    let [open, most] = [0, 0];
    const {
      bench,
      end,
      run: state,
    } = await runPlan(
      {
        goal: 'g',
        steps: [
          { id: 'l', tool: 'list', args: {} },
          {
            id: 'a',
            tool: 't',
            args: { n: '${f}' },
            foreach: { from: '$steps.l', item_name: 'f', concurrency: 8 },
          },
          { id: 'b', tool: 'end', args: { all: '$steps.a' } },
        ],
      },
      {
        tools: {
          list: () => many,
          t: async ({ args }) => {
            open += 1;
            most = Math.max(most, open);
            await Promise.resolve();
            open -= 1;
            return args.n ?? null;
          },
        },
      },
    );
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    expect(bench.calls.at(-1)?.args.all).toEqual(many);
    expect(most).toBeLessThanOrEqual(8);
    expect(state.instances.size).toBe(MANY + 3);
  });
});

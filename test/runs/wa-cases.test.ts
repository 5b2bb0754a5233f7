import { describe, expect, test } from 'vitest';

import type { ExecutionEvent } from '../../src/features/runs/executor/session.js';
import { lint } from '../../src/features/actions/lint/lint.js';
import { newPlace } from '../support/approving.js';
import { failing, runPlan, steppedClock } from '../support/executing.js';
import type { Bench, RunOptions } from '../support/executing.js';
import { wa as waPlan } from '../support/panes.js';

type Step = Readonly<Record<string, unknown>>;

/** A plan of wa with these actions, each a step of its own. */
const wa = (steps: readonly Step[], more: Step = {}) =>
  waPlan(
    steps.map((step, index) => ({
      action: { type: 'custom', action_type: 't', payload: { id: `s${index + 1}` } },
      ...step,
    })),
    more,
  );
const run = (steps: readonly Step[], bench: Bench = {}, options: RunOptions = {}, more: Step = {}) =>
  runPlan(wa(steps, more), bench, { dialect: 'wa', ...options });

describe('what the validation of wa rejects', () => {
  test.each<[string, object, string]>([
    ['steps that do not count from 1', wa([{ step_number: 2 }]), 'Invalid step number: expected 1, got 2'],
    ['a gap', wa([{}, { step_number: 3 }, {}]), 'Invalid step number: expected 2, got 3'],
    [
      'a precondition of the plan about a step that there is not',
      wa([{}], { preconditions: [{ type: 'step_completed', step_id: 'step:9' }] }),
      'Unknown step reference: step:9',
    ],
  ])('%s is found by the checks, and not prepared', async (_, plan, message) => {
    const { findings } = await lint(JSON.stringify(plan));
    expect(findings).toMatchObject([{ rule: 'SCHEMA_INVALID', severity: 'error', message }]);
    const place = await newPlace(
      plan,
      'tools:\n  - { name: t, effects: none, run: { command: [echo, x] } }\n',
    );
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
  });
});

test.each([
  [{ timeout_ms: 90_000 }, {}, 95_000],
  [{ timeout_ms: 20 }, {}, 5020],
  [{ timeout_ms: 90_000 }, { timeout_ms: 30 }, 30],
])('what waits for a condition has its own time and some seconds: %j, %j', async (waited, more, limit) => {
  const condition = { type: 'pane_idle', idle_threshold_ms: 1 };
  const { bench } = await run([{ action: { type: 'wait_for', pane_id: 1, condition, ...waited }, ...more }]);
  expect(bench.calls).toMatchObject([{ tool: 'wa:wait_for', timeoutMs: limit }]);
});

describe('verifications and preconditions', () => {
  test('W20: a verification that does not come in time fails the run', async () => {
    const { end, bench } = await run(
      [
        {
          action: { type: 'send_text', pane_id: 1, text: 'x' },
          verification: { strategy: { type: 'pattern_match', rule_id: 'r' }, timeout_ms: 1000 },
        },
        {},
      ],
      { conditions: { 'wa:pattern_match': false } },
      { clock: steppedClock().clock, pollMs: 400 },
    );
    expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'step:1' } });
    expect(bench.calls).toHaveLength(1);
    expect(bench.looks.length).toBeGreaterThan(1);
  });

  test('N2: a precondition of a step that does not hold fails it before its call, and uses up no attempt', async () => {
    const { run: state, bench } = await run(
      [
        {
          preconditions: [{ type: 'pane_exists', pane_id: 1 }],
          on_failure: { strategy: 'retry', max_attempts: 3, initial_delay_ms: 1 },
        },
      ],
      { conditions: { 'wa:pane_exists': false } },
    );
    expect(bench.calls).toHaveLength(0);
    expect(state.instances.get('step:1')).toMatchObject({
      attempt: 0,
      state: 'failed',
      error: { code: 'PRECONDITION_FAILED' },
    });
  });

  test('N3, S3: after a verification that fails only what can be done again is tried again', async () => {
    const verification = { strategy: { type: 'pattern_match', rule_id: 'r' } };
    const retry = { strategy: 'retry', max_attempts: 3, initial_delay_ms: 1 };
    const step = { verification, on_failure: retry };
    const looks = { 'wa:pattern_match': [false, true] };
    const once = await run([step], { conditions: looks, effects: { t: 'once' } });
    expect(once.bench.calls).toHaveLength(1);
    expect(once.end).toMatchObject({ end: { outcome: 'failed' } });
    const again = await run([{ ...step, idempotent: true }], { conditions: looks, effects: { t: 'once' } });
    expect(again.bench.calls).toHaveLength(2);
    expect(again.end).toMatchObject({ end: { outcome: 'succeeded' } });
  });

  const absent = { strategy: { type: 'pattern_absent', rule_id: 'r', wait_ms: 1500 } };

  test('N3: pattern_absent is looked at for its whole time, and once more after it', async () => {
    const { clock, waits } = steppedClock();
    const { bench, end } = await run(
      [{ verification: absent }],
      { conditions: { 'wa:pattern_absent': true } },
      { clock, pollMs: 400 },
    );
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    expect(waits).toEqual([400, 400, 400, 300]);
    expect(bench.looks).toHaveLength(5);
  });

  test('N3: pattern_absent fails as soon as the pattern is there, whatever it holds later or may take', async () => {
    for (const [seen, looks] of [
      [[false, true], 1],
      [[true, true, false, true], 3],
      [[true, true, true, true, false], 5],
    ] as const)
      for (const timeout_ms of [undefined, 60_000]) {
        const { bench, end } = await run(
          [{ verification: { ...absent, timeout_ms } }],
          { conditions: { 'wa:pattern_absent': seen } },
          { clock: steppedClock().clock, pollMs: 400 },
        );
        expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'step:1' } });
        expect(bench.looks).toHaveLength(looks);
      }
  });

  test('N3: pattern_absent that waits for no time is looked at once', async () => {
    const strategy = { ...absent.strategy, wait_ms: 0 };
    const looks = { conditions: { 'wa:pattern_absent': true } };
    expect((await run([{ verification: { strategy, timeout_ms: 5 } }], looks)).bench.looks).toHaveLength(1);
  });

  test('N3: what has a limit of time is looked at until it holds', async () => {
    for (const strategy of [
      { type: 'pattern_match', rule_id: 'r' },
      { type: 'pane_idle', idle_threshold_ms: 1 },
      { type: 'custom', name: 'n', expression: 'e' },
    ]) {
      const bench = { conditions: { [`wa:${strategy.type}`]: [false, false, true] } };
      const options = { clock: steppedClock().clock, pollMs: 400 };
      const held = await run([{ verification: { strategy, timeout_ms: 1000 } }], bench, options);
      expect(held.end).toMatchObject({ end: { outcome: 'succeeded' } });
      expect(held.bench.looks).toHaveLength(3);
      expect((await run([{ verification: { strategy } }], bench, options)).end).toMatchObject({
        end: { outcome: 'failed' },
      });
    }
  });

  test('N3: a look that is dropped tells nothing: the run goes on with it, and calls nothing again', async () => {
    for (const type of ['pattern_absent', 'pattern_match']) {
      const drop = new AbortController();
      const looks = () => {
        drop.abort();
        return false;
      };
      const verification = { strategy: { ...absent.strategy, type }, timeout_ms: 1000 };
      const first = await run(
        [{ verification }],
        { conditions: { [`wa:${type}`]: looks }, effects: { t: 'once' } },
        { drop: drop.signal },
      );
      expect(first.end).toMatchObject({ kind: 'interrupted' });
      const again = await first.again({
        drop: new AbortController().signal,
        conditions: { [`wa:${type}`]: true },
        clock: steppedClock().clock,
      });
      expect(again.bench.calls).toHaveLength(0);
      expect(again.end).toMatchObject({ end: { outcome: 'succeeded' } });
    }
  });

  test('N3: the verification none is always well', async () => {
    const { withBuiltins } = await import('../../src/features/runs/model/builtins.js');
    const none = withBuiltins({
      tools: new Map(),
      conditions: new Map(),
      endOrphan: async () => undefined,
      close: async () => undefined,
    }).conditions.get('wa:none');
    const signal = new AbortController().signal;
    expect(await none?.look({ args: {}, timeoutMs: 1, signal })).toMatchObject({ ok: true });
  });
});

describe('what follows from a failure', () => {
  test('N4: waits grow with each failure, up to the longest', async () => {
    const { log } = await run(
      [
        {
          on_failure: {
            strategy: 'retry',
            max_attempts: 3,
            initial_delay_ms: 30,
            backoff_multiplier: 2,
            max_delay_ms: 45,
          },
        },
      ],
      { tools: { t: () => failing() } },
    );
    const { retryDelay } = await import('../../src/features/runs/model/step-policy.js');
    const retry = { max_attempts: 3, initial_delay_ms: 100, multiplier: 2, max_delay_ms: 150, jitter: true };
    for (const key of ['a', 'b', 'c']) {
      expect(retryDelay(1, retry, key)).toBeLessThanOrEqual(100);
      expect(retryDelay(2, retry, key)).toBeLessThanOrEqual(150);
      expect(retryDelay(2, { ...retry, jitter: false }, key)).toBe(150);
    }
    expect((await log.events()).filter(({ type }) => type === 'attempt_started')).toHaveLength(3);
  });

  test('N7: a step that is skipped without a warning leaves none', async () => {
    const { runWarnings } = await import('../../src/features/runs/operations/run-report.js');
    const skipping = async (warn: boolean) => {
      const { log } = await run([{ on_failure: { strategy: 'skip', warn } }, {}], {
        tools: { t: ({ args }) => (args.id === 's1' ? failing() : args) },
      });
      return runWarnings(log);
    };
    expect(await skipping(true)).toEqual([expect.stringContaining('step:1 failed and was skipped')]);
    expect(await skipping(false)).toEqual([]);
  });

  test('N5: a fallback runs in its order, takes no defaults of the plan, and makes the step succeed', async () => {
    const fallback = (id: string) => ({
      step_number: 1,
      step_id: id,
      description: 'instead',
      idempotent: false,
      action: { type: 'custom', action_type: 'instead', payload: { id } },
    });
    const {
      states,
      end,
      bench,
      run: state,
    } = await run(
      [{ on_failure: { strategy: 'fallback', steps: [fallback('step:f1'), fallback('step:f2')] } }, {}],
      { tools: { t: ({ args }) => (args.id === 's1' ? failing() : args) } },
    );
    expect(bench.calls.map(({ args }) => args.id)).toEqual(['s1', 'step:f1', 'step:f2', 's2']);
    expect(states).toMatchObject({
      'step:1': 'succeeded',
      'step:1/fallback/step:f1': 'succeeded',
      'step:1/fallback/step:f2': 'succeeded',
    });
    expect(state.instances.get('step:1')?.recovered).toBe(true);
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    const lost = await run(
      [{ on_failure: { strategy: 'fallback', steps: [fallback('step:f1')] } }, {}],
      { tools: { t: () => failing(), instead: () => failing('no help') } },
      {},
      { on_failure: { strategy: 'skip' } },
    );
    expect(lost.end).toMatchObject({
      end: { outcome: 'failed', failed: 'step:1/fallback/step:f1', reason: 'no help' },
    });
  });

  test('N6: a failure that asks a person ends the executor, and the run goes on there once he agrees', async () => {
    const first = await run([{ on_failure: { strategy: 'require_approval', summary: 'go on?' } }, {}], {
      tools: { t: ({ args }) => (args.id === 's1' ? failing() : args) },
    });
    expect(first.end.kind).toBe('waiting');
    expect(first.run.waiting).toMatchObject([
      { step: 'step:1', for: 'approval', summary: expect.stringContaining('go on?') },
    ]);
    // Nobody has agreed: it waits again, and nothing is called.
    const asked = await first.again();
    expect(asked.end.kind).toBe('waiting');
    expect(asked.bench.calls).toHaveLength(0);
    const { prepared } = asked.run;
    const [outcome] = await asked.log.append([
      {
        type: 'run_approved',
        approval: 'a1',
        digest: prepared.digest,
        tools_digest: prepared.tools_digest,
        workspace: prepared.workspace,
        scope: 'step:1',
        via: 'terminal',
        expires_at: '2999-01-01T00:00:00Z',
        proof: 'p',
      },
    ]);
    expect(outcome?.refused).toBeNull();
    const gone = await asked.again();
    expect(gone.bench.calls.map(({ args }) => args.id)).toEqual(['s2']);
    expect(gone.states['step:1']).toBe('skipped');
    expect(gone.end).toMatchObject({ end: { outcome: 'succeeded' } });
  });

  test('a proof that does not hold is no agreement', async () => {
    const first = await run([{ on_failure: { strategy: 'require_approval', summary: 'go on?' } }, {}], {
      tools: { t: ({ args }) => (args.id === 's1' ? failing() : args) },
    });
    const { prepared } = first.run;
    await first.log.append([
      {
        type: 'run_approved',
        approval: 'forged',
        digest: prepared.digest,
        tools_digest: prepared.tools_digest,
        workspace: prepared.workspace,
        scope: 'step:1',
        via: 'terminal',
        expires_at: '2999-01-01T00:00:00Z',
        proof: 'p',
      },
    ]);
    const approvals = {
      ask: async () => ({
        expires_at: '2999-01-01T00:00:00Z',
        drawn: { code: 'C', stored: 'c', key: 'f'.repeat(32), expires_at: '2999-01-01T00:00:00Z' },
        note: null,
      }),
      needed: 1,
      areEnough: async () => false,
    };
    const asked = await first.again({ approvals });
    expect(asked.end.kind).toBe('waiting');
    expect(asked.bench.calls).toHaveLength(0);
    expect(asked.events).toContainEqual(expect.objectContaining({ type: 'approval_asked', code: 'C' }));
  });
});

describe('nested plans', () => {
  const nested = (steps: readonly Step[], more: Step = {}) => ({
    action: { type: 'nested_plan', plan: wa(steps, more) },
  });

  test('N8: a nested plan is carried out as its step, and its failure is the step’s', async () => {
    const done = await run([nested([{}, {}]), {}]);
    expect(done.states).toEqual({
      'step:1': 'succeeded',
      'step:1/plan/step:1': 'succeeded',
      'step:1/plan/step:2': 'succeeded',
      'step:2': 'succeeded',
    });
    const failed = await run([nested([{ action: { type: 'custom', action_type: 'u', payload: {} } }]), {}], {
      tools: { u: () => failing('inside') },
    });
    expect(failed.end).toMatchObject({ end: { outcome: 'failed', failed: 'step:1' } });
    expect(failed.run.ended?.reason).toContain('inside');
    expect(failed.states).toEqual({ 'step:1': 'failed', 'step:1/plan/step:1': 'failed' });
  });

  test('N8: a precondition of the nested plan that does not hold: none of it runs', async () => {
    const { states, bench } = await run(
      [nested([{}], { preconditions: [{ type: 'pane_exists', pane_id: 1 }] })],
      { conditions: { 'wa:pane_exists': false } },
    );
    expect(states).toEqual({ 'step:1': 'failed' });
    expect(bench.calls).toHaveLength(0);
  });
});

describe('what nobody knows', () => {
  const lost = { outcome: 'lost', error: { code: 'CONNECTION', message: 'reset', retryable: true } } as const;

  test('N12, W32, W34: a step that was begun and whose outcome is not known is asked about, never done again', async () => {
    const first = await run([{}, {}], { tools: { t: () => lost }, effects: { t: 'once' } });
    expect(first.end.kind).toBe('waiting');
    const again = await first.again({ tools: {} });
    expect(again.end.kind).toBe('waiting');
    expect(again.bench.calls).toHaveLength(0);
    expect(again.bench.orphans).toEqual(['run-0000abcd/step:1/1']);
    await again.log.append([
      { type: 'outcome_settled', step: 'step:1', attempt: 1, as: 'succeeded', how: 'person' },
    ]);
    const on = await again.again({ tools: {} });
    expect(on.bench.calls.map(({ args }) => args.id)).toEqual(['s2']);
  });

  test('while what an earlier process left behind is ended, it is said what is waited for', async () => {
    const first = await run([{}], { tools: { t: () => lost }, effects: { t: 'once' } });
    const waits = (events: readonly { readonly type: string }[]) =>
      events.filter(({ type }) => type === 'step_waits');
    const quick = await first.again({ tools: {} });
    expect(waits(quick.events)).toEqual([]);
    let end = (): void => undefined;
    const said: ExecutionEvent[] = [];
    await quick.again({
      tools: {},
      orphanEnds: new Promise<void>((resolve) => {
        end = resolve;
      }),
      // The second after which it is said is over at once, and the end comes when it was said.
      clock: { now: Date.now, wait: async () => undefined },
      emit(event) {
        if (event.type !== 'step_waits') return;
        said.push(event);
        end();
      },
    });
    expect(said).toMatchObject([{ step: 'step:1', message: expect.stringContaining('earlier process') }]);
  });

  test('W30, W31: what can be done again is done again with the same key, and what is done is not', async () => {
    const first = await run([{ idempotent: true }, {}], {
      tools: { t: (_call, number) => (number === 1 ? lost : 'done') },
      effects: { t: 'once' },
    });
    // A connection that broke is a failure of what can be done again; here there is one attempt alone.
    expect(first.end).toMatchObject({ end: { outcome: 'failed' } });
    const crashed = await run([{ idempotent: true }, {}], { effects: { t: 'once' } });
    expect(crashed.bench.calls.map(({ key }) => key)[0]).toMatch(/^[0-9a-f]{32}$/);
    const keys = new Set(crashed.bench.calls.map(({ key }) => key));
    expect(keys.size).toBe(2);
  });

  test('a look that is dropped does not settle that a step was not done', async () => {
    const retry = { strategy: 'retry', max_attempts: 3, initial_delay_ms: 1 };
    const verification = { strategy: { type: 'pattern_match', rule_id: 'r' } };
    const first = await run(
      [{ verification, on_failure: retry }],
      {
        tools: { t: () => lost },
        effects: { t: 'once' },
        conditions: { 'wa:pattern_match': true },
      },
      { onUnknown: 'ask' },
    );
    expect(first.end.kind).toBe('waiting');
    const drop = new AbortController();
    const again = await first.again({
      onUnknown: 'verify',
      drop: drop.signal,
      conditions: {
        'wa:pattern_match': () => {
          drop.abort();
          return false;
        },
      },
    });
    expect(again.end).toMatchObject({ kind: 'interrupted' });
    expect(again.states).toEqual({ 'step:1': 'unknown' });
    expect(again.bench.calls).toHaveLength(0);
  });

  test('--on-unknown ask and fail', async () => {
    const steps = [{ verification: { strategy: { type: 'pattern_match', rule_id: 'r' } } }, {}];
    const bench: Bench = {
      tools: { t: ({ args }) => (args.id === 's1' ? lost : args) },
      effects: { t: 'once' },
      conditions: { 'wa:pattern_match': true },
    };
    expect((await run(steps, bench, { onUnknown: 'ask' })).end.kind).toBe('waiting');
    const failed = await run(
      [{ ...steps[0], on_failure: { strategy: 'retry', max_attempts: 3, initial_delay_ms: 0 } }, {}],
      bench,
      { onUnknown: 'fail' },
    );
    expect(failed.end).toMatchObject({ end: { outcome: 'failed', failed: 'step:1' } });
    expect(failed.bench.calls).toHaveLength(1);
    const looked = await run(steps, bench);
    expect(looked.end).toMatchObject({ end: { outcome: 'succeeded' } });
    expect(looked.run.instances.get('step:1')).toMatchObject({ settled: 'verification' });
  });

  test('what others take its output from cannot be settled by looking', async () => {
    const check = { type: 'done', args: {} };
    const { end } = await runPlan(
      {
        goal: 'g',
        steps: [
          { id: 'a', tool: 't', args: {}, verifications: [check] },
          { id: 'b', tool: 'u', args: { x: '$steps.a.id' } },
        ],
      },
      { tools: { t: () => lost }, effects: { t: 'once' }, conditions: { done: true } },
    );
    expect(end.kind).toBe('waiting');
  });
});

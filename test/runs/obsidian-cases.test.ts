import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { failing, runPlan } from '../support/executing.js';
import type { Behaviour } from '../support/executing.js';

type Step = Readonly<Record<string, unknown>>;

/** A step of the tool `t` that brings its arguments. */
const step = (id: string, more: Step = {}): Step => ({ id, tool: 't', args: { id }, ...more });
const plan = (...steps: readonly Step[]) => ({ goal: 'g', steps });
const obsidian = (steps: readonly Step[], more: Step = {}) => ({
  version: '1.0',
  goal: 'g',
  riskLevel: 'writes',
  ...more,
  steps,
});
/** Fails the steps of these ids so many times, or always. */
const fails =
  (...ids: readonly string[]): Behaviour =>
  ({ args }) =>
    typeof args.id === 'string' && ids.includes(args.id) ? failing() : args;
const ids = (calls: readonly { readonly args: JsonObject }[]) => calls.map(({ args }) => args.id);
const asObsidian = { dialect: 'obsidian' } as const;

describe('order and what follows from a failure', () => {
  test('O1: a, then b', async () => {
    const { end, bench } = await runPlan(plan(step('a'), step('b')));
    expect(end).toMatchObject({ kind: 'ended', end: { outcome: 'succeeded' } });
    expect(ids(bench.calls)).toEqual(['a', 'b']);
  });

  test('O2: after a failure with stop nothing more is begun', async () => {
    const { end, bench, states } = await runPlan(
      plan(step('a', { on_error: { strategy: 'stop' } }), step('b')),
      {
        tools: { t: fails('a') },
      },
    );
    expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'a', reason: 'broken' } });
    expect(ids(bench.calls)).toEqual(['a']);
    expect(states).toEqual({ a: 'failed' });
  });

  test('O3: after a failure with skip the next runs, and the run succeeds with a step skipped', async () => {
    const { end, states } = await runPlan(plan(step('a', { on_error: { strategy: 'skip' } }), step('b')), {
      tools: { t: fails('a') },
    });
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    expect(states).toEqual({ a: 'skipped', b: 'succeeded' });
  });

  test('O4: a step that says nothing of failures stops the run, in Obsidian’s plans as well', async () => {
    const { end, states } = await runPlan(
      obsidian([step('a'), step('b')]),
      { tools: { t: fails('a') } },
      asObsidian,
    );
    expect(end).toMatchObject({ end: { outcome: 'failed' } });
    expect(states).toEqual({ a: 'failed' });
  });

  test('O5: retry without a number is three attempts, then stop', async () => {
    const { bench, end } = await runPlan(
      obsidian([step('a', { onError: 'retry', retry: undefined }), step('b')], {
        defaults: { retry: { maxAttempts: 3, backoffMs: 1 } },
      }),
      { tools: { t: fails('a') } },
      asObsidian,
    );
    expect(ids(bench.calls)).toEqual(['a', 'a', 'a']);
    expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'a' } });
  });

  test('O6: the defaults of the plan hold', async () => {
    const { bench, end } = await runPlan(
      obsidian([step('a'), step('b')], {
        defaults: { onError: 'stop', retry: { maxAttempts: 3, backoffMs: 1 } },
      }),
      { tools: { t: fails('a') } },
      asObsidian,
    );
    expect(bench.calls).toHaveLength(3);
    expect(end).toMatchObject({ end: { outcome: 'failed' } });
  });

  test('O7, O9, C6, C7: what needs a step that failed is skipped, whatever that step says of failures, and the run has failed', async () => {
    const { bench, states, run } = await runPlan(
      plan(step('a', { on_error: { strategy: 'skip' } }), step('b', { depends_on: ['a'] }), step('c')),
      { tools: { t: fails('a') } },
    );
    expect(ids(bench.calls)).toEqual(['a', 'c']);
    expect(states).toEqual({ a: 'skipped', b: 'skipped', c: 'succeeded' });
    expect(run.instances.get('b')?.skipped).toMatchObject({ because: 'dependency', of: 'a' });
    expect(run.ended).toMatchObject({ outcome: 'failed', failed: 'b' });
  });

  test('O8: a dependency that is listed later runs first', async () => {
    const { bench, end } = await runPlan(plan(step('b', { depends_on: ['a'] }), step('a')));
    expect(ids(bench.calls)).toEqual(['a', 'b']);
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
  });
});

describe('attempts', () => {
  test('O12: a step that succeeds at its third attempt is called three times, each after its wait', async () => {
    const { bench, end, log } = await runPlan(
      plan(step('a', { retry: { max_attempts: 3, initial_delay_ms: 30, jitter: false } })),
      { tools: { t: (_call, number) => (number < 3 ? failing() : 'done') } },
    );
    expect(bench.calls).toHaveLength(3);
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    const times = (await log.events()).flatMap((event) =>
      event.type === 'attempt_started' || event.type === 'attempt_ended' ? [Date.parse(event.at)] : [],
    );
    const [, ended1 = 0, began2 = 0, ended2 = 0, began3 = 0] = times;
    expect(began2 - ended1).toBeGreaterThanOrEqual(29);
    expect(began3 - ended2).toBeGreaterThanOrEqual(29);
  });

  test('O13: attempts that are used up fail with the last message', async () => {
    const { bench, end } = await runPlan(
      plan(step('a', { retry: { max_attempts: 2, initial_delay_ms: 1 } })),
      {
        tools: { t: (_call, number) => failing(`failure ${number}`) },
      },
    );
    expect(bench.calls).toHaveLength(2);
    expect(end).toMatchObject({ end: { outcome: 'failed', reason: 'failure 2' } });
  });

  test('O14: an attempt that takes too long is told to stop, and what it brings later does not count', async () => {
    let told = false;
    const slow: Behaviour = async ({ signal }) => {
      signal.addEventListener('abort', () => {
        told = true;
      });
      await sleep(60);
      return 'late';
    };
    const { run, end } = await runPlan(plan(step('a', { timeout_ms: 5 })), { tools: { t: slow } });
    expect(told).toBe(true);
    expect(end).toMatchObject({ end: { outcome: 'failed' } });
    expect(run.instances.get('a')).toMatchObject({
      state: 'failed',
      error: { code: 'TIMEOUT' },
      output: null,
    });
    const once = await runPlan(plan(step('a', { timeout_ms: 5 })), {
      tools: { t: slow },
      effects: { t: 'once' },
    });
    expect(once.end.kind).toBe('waiting');
    expect(once.states).toEqual({ a: 'unknown' });
  });

  test('N13: the limit of time is that of each attempt', async () => {
    const { run, end } = await runPlan(
      plan(step('a', { timeout_ms: 40, retry: { max_attempts: 3, initial_delay_ms: 0 } })),
      {
        tools: {
          t: async ({ signal, args }, number) => {
            if (number === 3) return args;
            await sleep(5000, undefined, { signal }).catch(() => undefined);
            return failing('stopped');
          },
        },
      },
    );
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    expect(run.instances.get('a')).toMatchObject({ attempt: 3, failures: 2 });
  });

  test('O31: a tool that throws a string fails with that string', async () => {
    const { end } = await runPlan(plan(step('a')), {
      tools: {
        t: () => {
          // oxlint-disable-next-line typescript/only-throw-error
          throw 'plain text';
        },
      },
    });
    expect(end).toMatchObject({ end: { outcome: 'failed', reason: 'plain text' } });
  });
});

describe('foreach', () => {
  const list = { id: 'l', tool: 'list', args: {} };
  const items = [{ p: 'x' }, { p: 'y' }, { p: 'z' }];
  const bench = { tools: { list: () => ({ list: items }) } };

  test('O16, O24: a list comes from a bare name, from a step, and from a variable', async () => {
    for (const [from, more, first] of [
      ['files', { captureAs: 'files' }, { tools: { list: () => items } }],
      ['$steps.l.list', {}, bench],
      ['$vars.xs.list', { captureAs: 'xs' }, bench],
    ] as const) {
      const { bench: done, end } = await runPlan(
        obsidian([
          { ...list, ...more },
          { id: 'a', tool: 't', args: { item: '$vars.f' }, foreach: { from, itemName: 'f' } },
        ]),
        first,
        asObsidian,
      );
      expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
      expect(done.calls.filter(({ tool }) => tool === 't').map(({ args }) => args.item)).toEqual(items);
    }
  });

  test('O17: item and index are bound, in every spelling', async () => {
    const args = {
      item: '$vars.f',
      path: '{f.p}',
      named: '$vars.idx',
      whole: '{idx}',
      text: 'no {idx}: {f.p}',
    };
    const loop = {
      id: 'a',
      tool: 't',
      args,
      foreach: { from: '$steps.l.list', itemName: 'f', indexName: 'idx' },
    };
    const { bench: done } = await runPlan(obsidian([list, loop]), bench, asObsidian);
    expect(done.calls.filter(({ tool }) => tool === 't').map(({ args: given }) => given)).toEqual(
      items.map((item, index) => ({
        item,
        path: item.p,
        named: index,
        whole: index,
        text: `no ${index}: ${item.p}`,
      })),
    );
    const usual = {
      id: 'a',
      tool: 't',
      args: { a: '$vars.index', b: '{index}' },
      foreach: { from: '$steps.l.list', itemName: 'f' },
    };
    const without = await runPlan(obsidian([list, usual]), bench, asObsidian);
    expect(without.bench.calls.filter(({ tool }) => tool === 't').map(({ args: given }) => given.b)).toEqual([
      0, 1, 2,
    ]);
  });

  test('O18: over nothing there is no call, and the step has succeeded', async () => {
    const {
      bench: done,
      states,
      end,
    } = await runPlan(plan(list, step('a', { foreach: { from: '$steps.l', item_name: 'f' } })), {
      tools: { list: () => [] },
    });
    expect(done.calls.map(({ tool }) => tool)).toEqual(['list']);
    expect(states).toEqual({ l: 'succeeded', a: 'succeeded' });
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
  });

  test('O19: over what is not a list it fails, and then does what it says of failures', async () => {
    const over = (strategy: string) =>
      runPlan(
        plan(list, step('a', { foreach: { from: '$steps.l', item_name: 'f' }, on_error: { strategy } })),
        bench,
      );
    expect((await over('stop')).end).toMatchObject({ end: { outcome: 'failed', failed: 'a' } });
    const skipped = await over('skip');
    expect(skipped.end).toMatchObject({ end: { outcome: 'succeeded' } });
    expect(skipped.states.a).toBe('skipped');
  });

  test('O20: an item that fails with skip is null among the outputs, and the others run', async () => {
    const {
      states,
      run,
      bench: done,
    } = await runPlan(
      plan(
        list,
        {
          id: 'a',
          tool: 't',
          args: { p: '${f.p}' },
          foreach: { from: '$steps.l.list', item_name: 'f' },
          on_error: { strategy: 'skip' },
        },
        { id: 'b', tool: 'end', args: { all: '$steps.a' } },
      ),
      { tools: { ...bench.tools, t: ({ args }) => (args.p === 'y' ? failing() : args) } },
    );
    expect(states).toMatchObject({
      'a[0]': 'succeeded',
      'a[1]': 'skipped',
      'a[2]': 'succeeded',
      a: 'succeeded',
    });
    expect(run.instances.get('a')?.failed_items).toBe(1);
    // O22: the output of a foreach is the list of the outputs.
    expect(done.calls.at(-1)?.args.all).toEqual([{ p: 'x' }, null, { p: 'z' }]);
  });

  test('O21: an item that fails with stop ends the run; the next item is not begun', async () => {
    const { states, end } = await runPlan(
      plan(list, {
        id: 'a',
        tool: 't',
        args: { p: '${f.p}' },
        foreach: { from: '$steps.l.list', item_name: 'f' },
      }),
      { tools: { ...bench.tools, t: ({ args }) => (args.p === 'x' ? failing() : args) } },
    );
    expect(states).toEqual({ l: 'succeeded', 'a[0]': 'failed', a: 'failed' });
    expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'a[0]' } });
  });

  test('O21: whatever an item fails with, its foreach has failed with it when the run is over', async () => {
    const nested = { steps: [{ id: 'n', tool: 'bad', args: {} }] };
    const fallback = { strategy: 'fallback', steps: [{ id: 'f', tool: 'bad', args: {} }] };
    const cases: readonly (readonly [object, string])[] = [
      [{ tool: 'bad' }, 'a[0]'],
      [{ verifications: [{ type: 'no', args: {} }] }, 'a[0]'],
      [{ preconditions: [{ type: 'no', args: {} }] }, 'a[0]'],
      [{ args: { p: '${f.missing}' } }, 'a[0]'],
      [{ plan: nested }, 'a[0]'],
      [{ tool: 'bad', on_error: fallback }, 'a[0]/fallback/f'],
      [{ args: { denied: true } }, 'a[0]'],
    ];
    for (const [more, failed] of cases) {
      const loop = { id: 'a', tool: 't', args: {}, foreach: { from: '$steps.l.list', item_name: 'f' } };
      const { states, run } = await runPlan(
        plan(list, { ...loop, ...more }, { id: 'b', tool: 't', args: {}, depends_on: ['a'] }),
        { tools: { ...bench.tools, bad: () => failing('bad') }, conditions: { no: false } },
        { refusal: (_step, args) => (args.denied === true ? 'denied' : null) },
      );
      expect(states).toMatchObject({ 'a[0]': 'failed', a: 'failed', b: 'skipped' });
      expect(run.ended).toMatchObject({ outcome: 'failed', failed });
      expect(run.instances.get('a')).toMatchObject({
        failed_by: failed,
        error: { message: run.ended?.reason },
        ended_at: expect.any(String),
      });
    }
  });

  test('O21: a foreach within a nested plan, and one within an item of another', async () => {
    const inner = {
      id: 'i',
      tool: 'bad',
      args: {},
      foreach: { from: '$vars.two', item_name: 'g' },
    };
    const { states, end } = await runPlan(
      plan(list, {
        id: 'a',
        tool: 't',
        args: {},
        plan: { context: { two: [1, 2] }, steps: [inner] },
        foreach: { from: '$steps.l.list', item_name: 'f' },
      }),
      { tools: { ...bench.tools, bad: () => failing('bad') } },
    );
    expect(states).toEqual({
      l: 'succeeded',
      'a[0]/plan/i[0]': 'failed',
      'a[0]/plan/i': 'failed',
      'a[0]': 'failed',
      a: 'failed',
    });
    expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'a[0]' } });
  });

  test('O23: as many items at once as it says, and never more than eight; outputs in the order of the items', async () => {
    const many = Array.from({ length: 30 }, (_none, index) => index);
    for (const [concurrency, most] of [
      [4, 4],
      [100, 8],
    ] as const) {
      let [open, seen] = [0, 0];
      const { bench: done } = await runPlan(
        plan(
          list,
          {
            id: 'a',
            tool: 't',
            args: { n: '${f}' },
            foreach: { from: '$steps.l', item_name: 'f', concurrency },
          },
          { id: 'b', tool: 'end', args: { all: '$steps.a' } },
        ),
        {
          tools: {
            list: () => many,
            t: async ({ args }) => {
              open += 1;
              seen = Math.max(seen, open);
              await sleep(Number(args.n) % 3);
              open -= 1;
              return args.n ?? null;
            },
          },
        },
      );
      expect(seen).toBe(most);
      expect(done.calls.at(-1)?.args.all).toEqual(many);
    }
  });
});

describe('references', () => {
  const given = { v: 'x', list: [1, { d: true }], n: null, __proto: 1 };
  const resolved = async (args: JsonObject, more: Step = {}) => {
    const { bench, end, run } = await runPlan(
      plan({ id: 'a', tool: 'first', args: {}, ...more }, { id: 'b', tool: 't', args }),
      {
        tools: { first: () => given },
      },
    );
    return { args: bench.calls.find(({ tool }) => tool === 't')?.args, end, run };
  };

  test('O15: captureAs names the output', async () => {
    expect((await resolved({ x: '$vars.c.v' }, { capture_as: 'c' })).args).toEqual({ x: 'x' });
    expect((await resolved({ x: '${c.d.v}' }, { capture_as: 'c.d' })).args).toEqual({ x: 'x' });
  });

  test('O22: a foreach is known as the list of its outputs, and its items by nothing else', async () => {
    const list = { foreach: { from: '$steps.l', item_name: 'x' }, args: { id: '${x}' } };
    const { bench } = await runPlan(
      plan({ id: 'l', tool: 'list', args: {} }, step('a', list), {
        id: 'b',
        tool: 'end',
        args: { all: '$steps.a', second: '$steps.a.1.id' },
      }),
      { tools: { list: () => ['x', 'y'] } },
    );
    expect(bench.calls.at(-1)?.args).toEqual({ all: [{ id: 'x' }, { id: 'y' }], second: 'y' });
    const named = await runPlan(
      plan({ id: 'l', tool: 'list', args: {} }, step('a', list), {
        id: 'b',
        tool: 'end',
        args: { one: '$steps.a_1.id' },
      }),
      { tools: { list: () => ['x', 'y'] } },
    );
    expect(named.end).toMatchObject({ end: { outcome: 'failed', failed: 'b' } });
  });

  test('O24: a whole reference keeps the type of its value', async () => {
    const { args } = await resolved({
      list: '$steps.a.list',
      first: '$steps.a.list.0',
      all: '$steps.a',
      none: '${$steps.a.n}',
    });
    expect(args).toEqual({ list: given.list, first: 1, all: given, none: null });
  });

  test('O25, P2: in a text scalars are as they are and objects are JSON; what only looks like a reference is text', async () => {
    const { args } = await resolved({
      braces: 'x ${$steps.a.v} y',
      double: '{{a.result.v}}!',
      object: 'l: ${a.list}',
      money: '$5.00',
      vars: '$vars',
      loop: '{f.path}',
    });
    expect(args).toEqual({
      braces: 'x x y',
      double: 'x!',
      object: 'l: [1,{"d":true}]',
      money: '$5.00',
      vars: '$vars',
      loop: '{f.path}',
    });
  });

  test('O25, O26: a reference without braces is text where text is beside it, and never undefined', async () => {
    const texts = [
      '$steps.a.v and more',
      'x $steps.a.v y',
      '$vars.x y',
      ' $steps.a.v',
      '$steps.a.v$steps.a.v',
    ];
    const { end, bench } = await runPlan(
      {
        version: '1.0',
        goal: 'g',
        riskLevel: 'writes',
        steps: [{ id: 'b', tool: 't', args: { texts, missing: 'as in $steps.zz.v' } }],
      },
      {},
      { dialect: 'obsidian' },
    );
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    expect(bench.calls.map(({ args }) => args)).toEqual([{ texts, missing: 'as in $steps.zz.v' }]);
  });

  test('O28, C8: members that are not data are not reached, and a missing one fails without another attempt', async () => {
    for (const path of ['constructor.name', 'list.length', 'missing', 'list.7', 'v.length']) {
      const { end, run, args } = await resolved({ x: `$steps.a.${path}` });
      expect(args).toBeUndefined();
      expect(end).toMatchObject({ end: { outcome: 'failed', failed: 'b' } });
      expect(run.instances.get('b')).toMatchObject({ attempt: 0, error: { code: 'REFERENCE_ERROR' } });
    }
  });

  test('O29, O30: keys are not looked at, null is kept, lists and objects are gone through', async () => {
    const { args } = await resolved({ '$steps.a.v': null, deep: [{ x: ['$steps.a.v', null] }] });
    expect(args).toEqual({ '$steps.a.v': null, deep: [{ x: ['x', null] }] });
  });

  test('C4: arguments are held against the schema once they are known; what does not fit is not called and not tried again', async () => {
    const { bench, run } = await runPlan(
      plan(
        { id: 'a', tool: 'first', args: {} },
        step('b', { args: { n: '$steps.a.v' }, retry: { max_attempts: 3 } }),
      ),
      {
        tools: { first: () => given },
        schemas: { t: { type: 'object', properties: { n: { type: 'integer' } } } },
      },
    );
    expect(bench.calls.map(({ tool }) => tool)).toEqual(['first']);
    expect(run.instances.get('b')).toMatchObject({ attempt: 0, error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('stopping and going on', () => {
  test('O34: a pause ends after the step under way, and going on begins with the next', async () => {
    const stop = new AbortController();
    const first = await runPlan(
      plan(step('a'), step('b'), step('c')),
      {
        tools: {
          t: ({ args }) => {
            if (args.id === 'a') stop.abort();
            return args;
          },
        },
      },
      { stop: stop.signal },
    );
    expect(first.end.kind).toBe('interrupted');
    expect(first.states).toEqual({ a: 'succeeded' });
    const second = await first.again({ stop: new AbortController().signal });
    expect(ids(second.bench.calls)).toEqual(['b', 'c']);
    expect(second.end).toMatchObject({ end: { outcome: 'succeeded' } });
  });

  test('O35: a cancelled call is asked to stop, no further step begins, and the run can be gone on with', async () => {
    const drop = new AbortController();
    const stopped = await runPlan(
      plan(step('a'), step('b')),
      {
        tools: {
          t: async ({ signal }) => {
            drop.abort();
            await sleep(1000, undefined, { signal }).catch(() => undefined);
            return { outcome: 'lost', error: { code: 'CANCELLED', message: 'dropped', retryable: true } };
          },
        },
      },
      { drop: drop.signal },
    );
    expect(stopped.end.kind).toBe('interrupted');
    expect(stopped.run.instances.get('a')).toMatchObject({ state: 'failed', failures: 0 });
    const second = await stopped.again({ tools: {}, drop: new AbortController().signal });
    expect(ids(second.bench.calls)).toEqual(['a', 'b']);
  });

  test('O50: every call has its intent before it and its outcome after it', async () => {
    const { log } = await runPlan(plan(step('a', { on_error: { strategy: 'skip' } }), step('b')), {
      tools: { t: fails('a') },
    });
    const events = (await log.events()).flatMap((event) =>
      event.type === 'attempt_started' || event.type === 'attempt_ended'
        ? [`${event.type} ${event.step}`]
        : [],
    );
    expect(events).toEqual(['attempt_started a', 'attempt_ended a', 'attempt_started b', 'attempt_ended b']);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { applyRun } from '../../src/features/runs/model/apply-run.js';
import { runEventSchema } from '../../src/features/runs/model/run-events.js';
import type { RunPayload } from '../../src/features/runs/model/run-events.js';
import { wordRunRefusal } from '../../src/features/runs/model/run-refusals.js';
import { runStatus } from '../../src/features/runs/model/run.js';
import type { Run } from '../../src/features/runs/model/run.js';
import {
  applied,
  approvedWith,
  attemptOf,
  NOW,
  plainRun,
  preparedWith,
  runOf,
  stampedRunEvent,
  startedWith,
} from '../support/runs.js';
import { scale } from '../faults/support/scale.js';

const begun = [preparedWith(), startedWith()] as const;
const ended = (step: string, changes: object = {}): RunPayload => ({
  type: 'attempt_ended',
  step,
  attempt: 1,
  outcome: 'succeeded',
  output: { v: 1 },
  ...changes,
});
const refusedCode = (...payloads: readonly RunPayload[]) => applied(payloads).refused?.code;

describe('what applyRun refuses', () => {
  test('an attempt of an instance that is not pending or failed', () => {
    expect(refusedCode(...begun, attemptOf('a', 1), attemptOf('a', 2))).toBe('not_open');
    expect(refusedCode(...begun, attemptOf('a', 1), ended('a'), attemptOf('a', 2))).toBe('not_open');
    const lost = ended('a', { outcome: 'timed_out', output: undefined });
    expect(refusedCode(...begun, attemptOf('a', 1), lost, attemptOf('a', 2))).toBe('not_open');
    expect(
      refusedCode(
        ...begun,
        { type: 'step_skipped', step: 'a', because: 'dependency', of: 'z' },
        attemptOf('a', 1),
      ),
    ).toBe('not_open');
  });

  test('an attempt that is not the next one', () => {
    expect(refusedCode(...begun, attemptOf('a', 2))).toBe('wrong_attempt');
  });

  test('an outcome without its intent', () => {
    expect(refusedCode(...begun, ended('a'))).toBe('no_intent');
    expect(refusedCode(...begun, attemptOf('a', 1), ended('a', { attempt: 2 }))).toBe('no_intent');
    expect(refusedCode(...begun, attemptOf('a', 1), ended('a'), ended('a'))).toBe('no_intent');
  });

  test('anything after the end but a look at a condition', () => {
    const over = [...begun, { type: 'run_ended', outcome: 'succeeded' }] as const;
    expect(refusedCode(...over, attemptOf('a', 1))).toBe('ended');
    expect(refusedCode(...over, startedWith({ replaces: 'e1' }))).toBe('ended');
    expect(refusedCode(...over, approvedWith())).toBe('ended');
    expect(refusedCode(...over, { type: 'run_ended', outcome: 'failed' })).toBe('ended');
    const look = {
      type: 'checked',
      kind: 'verification',
      step: 'a',
      index: 0,
      ok: true,
      detail: '',
    } as const;
    expect(refusedCode(...over, look)).toBeUndefined();
  });

  test('a start without a valid approval that nobody has used, where one is required', () => {
    const prepared = preparedWith({ requires_approval: true });
    expect(refusedCode(prepared, startedWith())).toBe('not_approved');
    expect(refusedCode(prepared, startedWith({ approval: 'a1' }))).toBe('not_approved');
    expect(refusedCode(prepared, approvedWith(), startedWith({ approval: 'a2' }))).toBe('not_approved');
    expect(refusedCode(prepared, approvedWith(), startedWith({ approval: 'a1' }))).toBeUndefined();
    const late = applied([prepared, approvedWith(), startedWith({ approval: 'a1' })], (index) =>
      index < 2 ? NOW : NOW + 900_001,
    );
    expect(late.refused?.code).toBe('expired');
    const sooner = approvedWith({ expires_at: new Date(NOW).toISOString() });
    expect(refusedCode(prepared, sooner, startedWith({ approval: 'a1' }))).toBe('expired');
  });

  test('an approval of another plan, of other tools, or for another workspace', () => {
    expect(refusedCode(preparedWith(), approvedWith({ digest: 'frctl1:other' }))).toBe('other_digest');
    expect(refusedCode(preparedWith(), approvedWith({ tools_digest: 'other' }))).toBe('other_digest');
    expect(refusedCode(preparedWith(), approvedWith({ workspace: { id: 'w', root: '/x' } }))).toBe(
      'other_digest',
    );
  });

  test('an approval after five wrong codes, and a second one while the first is live', () => {
    const wrong = { type: 'code_refused' } as const;
    const prepared = preparedWith({ requires_approval: true });
    expect(refusedCode(prepared, wrong, wrong, wrong, wrong, approvedWith())).toBeUndefined();
    expect(refusedCode(prepared, wrong, wrong, wrong, wrong, wrong, approvedWith())).toBe('voided');
    expect(
      refusedCode(
        prepared,
        approvedWith(),
        wrong,
        wrong,
        wrong,
        wrong,
        wrong,
        startedWith({ approval: 'a1' }),
      ),
    ).toBe('voided');
    expect(refusedCode(prepared, approvedWith(), approvedWith({ approval: 'a2' }))).toBe('approval_exists');
  });

  test('an attempt whose tool is not the one that was prepared', () => {
    expect(refusedCode(...begun, attemptOf('a', 1, { definition: 'other' }))).toBe('tool_changed');
    expect(refusedCode(...begun, attemptOf('a', 1, { tool: 'u' }))).toBe('tool_changed');
  });

  test('a second executor, and attempts of one that was replaced', () => {
    expect(refusedCode(...begun, startedWith())).toBe('run_taken');
    expect(refusedCode(...begun, startedWith({ replaces: 'e9' }))).toBe('run_taken');
    expect(refusedCode(...begun, startedWith({ replaces: 'e1' }), attemptOf('a', 1))).toBe('run_taken');
  });

  test('a worker’s start of a run that is not left to workers, or was taken from them', () => {
    const left = { type: 'left_to_workers' } as const;
    const byWorker = startedWith({ workers: 'e1' });
    expect(refusedCode(preparedWith(), startedWith({ workers: 'e0' }))).toBe('not_left');
    expect(refusedCode(preparedWith(), left, byWorker)).toBeUndefined();
    expect(refusedCode(preparedWith(), left, { type: 'pause_requested' }, byWorker)).toBe('not_left');
    // Whoever runs it himself takes it from them; while he does, nobody gives it to them.
    const taken = [preparedWith(), left, startedWith()] as const;
    expect(refusedCode(...taken, startedWith({ workers: 'e1', replaces: 'e2' }))).toBe('not_left');
    expect(refusedCode(...taken, left)).toBe('run_taken');
    expect(refusedCode(...begun, { type: 'run_ended', outcome: 'aborted' }, left)).toBe('ended');
    expect(refusedCode(preparedWith(), { type: 'pause_requested' })).toBe('not_running');
  });

  test('steps of a run that nobody runs', () => {
    expect(refusedCode(preparedWith(), attemptOf('a', 1))).toBe('not_running');
    const interrupted = { type: 'run_interrupted', because: 'signal', executor: 'e1' } as const;
    expect(refusedCode(...begun, interrupted, attemptOf('a', 1))).toBe('not_running');
  });

  test('settling what is not unknown', () => {
    const settle = {
      type: 'outcome_settled',
      step: 'a',
      attempt: 1,
      as: 'succeeded',
      how: 'person',
    } as const;
    expect(refusedCode(...begun, settle)).toBe('not_unknown');
    expect(refusedCode(...begun, attemptOf('a', 1), settle)).toBe('not_unknown');
  });

  test('other items of a foreach than it was begun with', () => {
    const items = { type: 'items_fixed', step: 'a', count: 2, digest: '0'.repeat(64) } as const;
    expect(refusedCode(...begun, items, items)).toBeUndefined();
    expect(refusedCode(...begun, items, { ...items, count: 3 })).toBe('items_differ');
  });

  test('an approval of a step that waits for none, or that waits with other arguments', () => {
    const ask = {
      type: 'waiting',
      step: 'a',
      for: 'approval',
      summary: '?',
      args_digest: '1'.repeat(64),
    } as const;
    expect(refusedCode(...begun, approvedWith({ scope: 'a' }))).toBe('not_waiting');
    expect(refusedCode(...begun, ask, approvedWith({ scope: 'a' }))).toBe('other_digest');
    expect(
      refusedCode(...begun, ask, approvedWith({ scope: 'a', args_digest: '1'.repeat(64) })),
    ).toBeUndefined();
  });
});

describe('what nobody knows', () => {
  const open = [...begun, attemptOf('a', 1)] as const;

  test('an attempt under way is of unknown outcome once its executor is replaced, lost, or the run is over', () => {
    for (const next of [
      startedWith({ replaces: 'e1' }),
      { type: 'run_interrupted', because: 'executor_lost', executor: 'e1' },
      { type: 'run_ended', outcome: 'aborted' },
    ] satisfies readonly RunPayload[])
      expect(runOf([...open, next]).instances.get('a')?.state).toBe('unknown');
  });

  test('a timeout is a failure of what can be done again, and unknown of what must happen once', () => {
    const late = ended('a', {
      outcome: 'timed_out',
      output: undefined,
      error: { code: 'TIMEOUT', message: '', retryable: true },
    });
    expect(runOf([...open, late]).instances.get('a')?.state).toBe('unknown');
    const again = attemptOf('a', 1, { effects: 'idempotent' });
    expect(runOf([...begun, again, late]).instances.get('a')).toMatchObject({ state: 'failed', failures: 1 });
  });

  test('an outcome that comes late is knowledge', () => {
    const run = runOf([...open, startedWith({ replaces: 'e1' }), ended('a')]);
    expect(run.instances.get('a')?.state).toBe('succeeded');
  });

  test('what is settled because it can be done again counts against no number of attempts', () => {
    const settled = runOf([
      ...open,
      startedWith({ replaces: 'e1' }),
      { type: 'outcome_settled', step: 'a', attempt: 1, as: 'failed', how: 'idempotent' },
    ]);
    expect(settled.instances.get('a')).toMatchObject({ state: 'failed', failures: 0, attempt: 1 });
  });
});

test('a verification that fails makes the attempt failed, and one of a once step final', () => {
  const look = {
    type: 'checked',
    kind: 'verification',
    step: 'a',
    index: 0,
    ok: false,
    detail: 'no',
  } as const;
  const run = runOf([...begun, attemptOf('a', 1), ended('a'), look]);
  expect(run.instances.get('a')).toMatchObject({ state: 'failed', final: true });
  const again = runOf([...begun, attemptOf('a', 1, { effects: 'idempotent' }), ended('a'), look]);
  expect(again.instances.get('a')).toMatchObject({ state: 'failed', final: false });
});

test('a run expires by the clock, at the moment after its last', () => {
  const run = runOf([preparedWith()]);
  expect(runStatus(run, NOW + 900_000)).toBe('prepared');
  expect(runStatus(run, NOW + 900_001)).toBe('expired');
});

const step = fc.constantFrom('a', 'b[0]', '__proto__');
const number = fc.integer({ min: 1, max: 3 });
const payload: fc.Arbitrary<RunPayload> = fc.oneof(
  fc.constant(preparedWith()),
  fc.constant(approvedWith()),
  step.map((scope) => approvedWith({ scope })),
  fc.constant({ type: 'code_refused' } as const),
  fc.constantFrom(undefined, 'e1', 'e2', 'e3').map((replaces) => startedWith({ replaces })),
  fc.tuple(step, number).map(([name, attempt]) => attemptOf(name, attempt)),
  fc
    .record({
      step,
      attempt: number,
      outcome: fc.constantFrom('succeeded', 'failed', 'timed_out', 'lost', 'not_sent'),
    })
    .map((one) => ({ type: 'attempt_ended' as const, ...one })),
  fc
    .record({ step, attempt: number, as: fc.constantFrom('succeeded', 'failed') })
    .map((one) => ({ type: 'outcome_settled' as const, how: 'person' as const, ...one })),
  fc
    .record({ step, ok: fc.boolean(), kind: fc.constantFrom('precondition', 'verification') })
    .map((one) => ({ type: 'checked' as const, index: 0, detail: '', ...one })),
  step.map((name) => ({ type: 'step_skipped' as const, step: name, because: 'on_error' as const })),
  step.map((name) => ({ type: 'step_ended' as const, step: name, outcome: 'succeeded' as const })),
  step.map((name) => ({
    type: 'waiting' as const,
    step: name,
    for: 'approval' as const,
    summary: '',
  })),
  fc.constant({ type: 'abort_requested' } as const),
  fc
    .constantFrom('e1', 'e2')
    .map((executor) => ({ type: 'run_interrupted' as const, because: 'executor_lost' as const, executor })),
  fc
    .constantFrom('succeeded', 'failed', 'aborted')
    .map((outcome) => ({ type: 'run_ended' as const, outcome })),
);

test('applyRun is total and deterministic, changes nothing that it refuses, and takes what its schema takes', () => {
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 30 }), (payloads) => {
      const events = [preparedWith(), ...payloads].map((one, index) =>
        runEventSchema.parse(stampedRunEvent(one, index, NOW + index)),
      );
      let run: Run | null = null;
      for (const event of events) {
        const once = applyRun(run, event);
        const twice = applyRun(run, event);
        expect(twice.refused).toEqual(once.refused);
        expect(plainRun(twice.run)).toEqual(plainRun(once.run));
        expect(once.refused === null || once.run === run).toBe(true);
        expect(once.refused === null ? 'accepted' : wordRunRefusal(once.refused)).not.toBe('');
        run = once.run;
      }
    }),
    { numRuns: scale(200, 80) },
  );
});

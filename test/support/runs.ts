import { applyRun } from '../../src/features/runs/model/apply-run.js';
import type { AppliedToRun } from '../../src/features/runs/model/apply-run.js';
import type { RunEvent, RunPayload, RunPayloadOf } from '../../src/features/runs/model/run-events.js';
import type { Run } from '../../src/features/runs/model/run.js';

/** The moment at which runs of tests are prepared. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');

/** What a run of one tool `t` is prepared with, whose plan is of no interest. */
export function preparedWith(
  changes: Partial<RunPayloadOf<'run_prepared'>> = {},
): RunPayloadOf<'run_prepared'> {
  return {
    type: 'run_prepared',
    run: 'run-0000abcd',
    source: { file: 'plan.json', dialect: 'frctl' },
    plan: '{}',
    digest: `frctl1:${'0'.repeat(64)}`,
    workspace: { id: 'w', root: '/w' },
    tools: [{ name: 't', effects: 'once', definition: 'd', binding: {} }],
    tools_digest: 'td',
    findings: [],
    inputs: [],
    requires_approval: false,
    expires_at: new Date(NOW + 900_000).toISOString(),
    ...changes,
  };
}

/** A person's agreement to what {@link preparedWith} makes. */
export function approvedWith(
  changes: Partial<RunPayloadOf<'run_approved'>> = {},
): RunPayloadOf<'run_approved'> {
  return {
    type: 'run_approved',
    approval: 'a1',
    digest: `frctl1:${'0'.repeat(64)}`,
    tools_digest: 'td',
    workspace: { id: 'w', root: '/w' },
    scope: 'run',
    via: 'terminal',
    expires_at: new Date(NOW + 900_000).toISOString(),
    proof: 'p',
    ...changes,
  };
}

/** A start by this process. */
export function startedWith(changes: Partial<RunPayloadOf<'run_started'>> = {}): RunPayloadOf<'run_started'> {
  return {
    type: 'run_started',
    executor: { host: 'h', pid: 1, version: '0' },
    approval: null,
    ...changes,
  };
}

/** An attempt of `t`. */
export function attemptOf(
  step: string,
  attempt: number,
  changes: Partial<RunPayloadOf<'attempt_started'>> = {},
): RunPayloadOf<'attempt_started'> {
  return {
    type: 'attempt_started',
    step,
    attempt,
    key: 'k',
    args_digest: '0'.repeat(64),
    tool: 't',
    definition: 'd',
    effects: 'once',
    executor: 'e1',
    ...changes,
  };
}

/** Applies events one after the other; the ids of those that follow the first are `e1`, `e2`, …. */
export function applied(
  payloads: readonly RunPayload[],
  at: (index: number) => number = (index) => NOW + index,
): AppliedToRun {
  let result: AppliedToRun = { run: null, refused: null };
  for (const [index, payload] of payloads.entries()) {
    result = applyRun(result.run, stampedRunEvent(payload, index, at(index)));
    if (result.refused !== null) return result;
  }
  return result;
}

/** The run that events come to, none of which may be refused. */
export function runOf(payloads: readonly RunPayload[]): Run {
  const { run, refused } = applied(payloads);
  if (run === null || refused !== null) throw new Error(`refused: ${JSON.stringify(refused)}`);
  return run;
}

export function stampedRunEvent(payload: RunPayload, index: number, at: number): RunEvent {
  return {
    id: `e${index}`,
    at: new Date(at).toISOString(),
    by: 'me',
    replica: 'r',
    clock: index + 1,
    ...payload,
  };
}

/** The state of a run as plain data, to be compared. */
export function plainRun(run: Run | null): object | null {
  if (run === null) return null;
  const { instances, loops, checks, ...rest } = run;
  return { ...rest, instances: [...instances], loops: [...loops], checks: [...checks] };
}

import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { numbersAsText } from '../../../kernel/json/numbers-as-text.js';
import { defineOperation } from '../../../operations/operation.js';
import type { RunContext } from '../../../operations/operation.js';
import { workersNeedDatabase } from '../../../operations/planning/workers-need-database.js';
import { choice, count, field, text, toggle } from '../../../operations/shared/fields.js';
import { RUN_TEAM, RUNS } from '../parts.js';
import { runStatus } from '../model/run.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { ExecutionEvent } from '../executor/session.js';
import { MOST_WAIT_MS } from '../executor/approval.js';
import { carryOutRun } from './carry-out-run.js';
import { readDuration } from './durations.js';
import { reportOf, runReportSchema } from './run-report.js';
import type { CarriedOut } from './run-report.js';
import { openRunState, statusNow } from './run-state.js';

/** The exit status of a run that waits for a person. */
const WAITS = 8;
const INTERRUPTED = 130;
/** That of a run that has succeeded, whose goal could not be completed. */
const REFUSED = 4;

const inputSchema = z.strictObject({
  run: field(z.string(), 'id of the run, which `plan prepare` prints, or the plan_id of a wa plan', {
    value: 'run',
  }),
  onUnknown: choice(
    ['verify', 'ask', 'fail'],
    'what to do if the outcome of a step is unknown (default: check its verifications, else ask)',
    { value: 'how' },
  ),
  complete: text('complete the goal once the run succeeds; give the token of its claim', 'token'),
  timeout: count('stop after so many seconds; the run can be continued', { value: 's', factor: 1000 }),
  wait: text('when a step needs approval, keep running and wait for it this long: 90s, 15m', 'time'),
  inPlace: field(
    z.boolean().optional(),
    'for programs: somebody sees what happens, and approves a step when it asks',
    { hidden: true },
  ),
  snapshot: toggle('run what was prepared, even if the file has changed since'),
  workers: toggle('leave the run to a worker (`plan worker`) in its workspace, and return at once'),
});

type RunInput = z.output<typeof inputSchema>;

/**
 * Carries out a run that was prepared and approved, or goes on with it. Nothing runs unless everything is as it was
 * approved.
 * @throws PlanError E_PLAN_NOT_FOUND, WRONG_STATE for an id of wa that several runs have, E_PLAN_WORKSPACE_MISMATCH, E_PLAN_EXPIRED, E_PLAN_CONSUMED, WRONG_STATE,
 *   E_PLAN_HASH_MISMATCH, E_PLAN_APPROVAL_MISSING, E_TOOL_CHANGED, E_TOOL_UNTRUSTED, E_PLAN_PRECONDITION_FAILED,
 *   RUN_BUSY, STORAGE_FAILED; USAGE, REFUSED for a goal that could not be completed afterwards
 */
export const runActionPlan = defineOperation({
  arguments: ['run'],
  input: inputSchema,
  output: runReportSchema,
  examples: [
    'plan run run-k3f9x2w8',
    'plan run run-k3f9x2w8 --on-unknown ask',
    'plan run run-k3f9x2w8 --workers',
    'plan commit run-k3f9x2w8 --json',
  ],
  mutates: true,
  interruptible: 'in steps',
  async run(context: RunContext<ExecutionEvent>, input): Promise<CarriedOut> {
    const { run, workers, wait, ...how } = input;
    const waitMs = wait === undefined ? undefined : readDuration(wait, '--wait', MOST_WAIT_MS);
    const log = await openRunState(context, await runNamed(context, run));
    if (workers !== true) return carryOutRun(context, log, { ...how, waitMs, tell: context.tell });
    refuseWithWorkers(input);
    const team = await context.partIfAny(RUN_TEAM);
    if (team === null) throw workersNeedDatabase();
    await team.leave(context, log, { on_unknown: input.onUnknown, snapshot: input.snapshot });
    return reportOf(log, await statusNow(log.run, context));
  },
  document: ({ completion: _told, parts: _parts, presented: _shown, outputs, ...document }: CarriedOut) => ({
    ...document,
    outputs: numbersAsText(outputs),
  }),
  exitStatus({ status, workers, goal_refused: refused }) {
    if (workers) return 0;
    if (status === 'succeeded') return refused === null ? 0 : REFUSED;
    if (status === 'waiting') return WAITS;
    return status === 'interrupted' ? INTERRUPTED : 1;
  },
});

/**
 * The run that is meant: by its id, or by the id that wa gives its plan, where one alone is open.
 * @throws PlanError E_PLAN_NOT_FOUND, WRONG_STATE
 */
async function runNamed(context: RunContext<ExecutionEvent>, name: string): Promise<string> {
  if (!name.startsWith('plan:')) return name;
  const { runs } = await (await context.part(RUNS)).list('open');
  const now = context.environment.now();
  const found = runs.filter(
    (run) => run.prepared.wa_ids?.plan_id === name && runStatus(run, now) !== 'expired',
  );
  const [only, ...others] = found.map(({ id }) => id);
  if (only !== undefined && others.length === 0) return only;
  throw new PlanError(
    only === undefined ? 'E_PLAN_NOT_FOUND' : 'WRONG_STATE',
    only === undefined
      ? `no run of the plan ${truncate(name, 80)} is open`
      : `${found.length} runs of the plan ${truncate(name, 80)} are open: ${found
          .map(({ id }) => id)
          .slice(0, MOST_NAMED)
          .join(', ')}`,
    {
      hint: {
        commandLine:
          only === undefined
            ? '`plan runs` lists the runs; `plan prepare` makes one.'
            : 'Name the run; `plan runs` says how far each is.',
      },
      details: { plan: name, runs: found.map(({ id }) => id) },
    },
  );
}

/** As many runs as anybody reads. */
const MOST_NAMED = 12;

/** What only whoever waits for the end of a run can ask for. @throws PlanError USAGE */
function refuseWithWorkers({ complete, timeout, wait }: RunInput): void {
  const options = { '--complete': complete, '--timeout': timeout, '--wait': wait };
  const [given = null] = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (given === null) return;
  throw new PlanError('USAGE', `${given} and --workers do not go together`, {
    hint: {
      commandLine:
        'Workers carry it out after this command: `plan complete` completes a goal, `plan runs pause` stops a run.',
    },
  });
}

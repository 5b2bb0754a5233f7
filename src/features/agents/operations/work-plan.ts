import * as z from 'zod';

import { firstOf } from '../../../kernel/text/first-of.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { PlanError } from '../../../kernel/errors.js';
import { touchesOf } from '../../../plan/readiness/touches.js';
import { goalInWords } from '../../../plan/goal-in-words.js';
import { numberOf } from '../../../plan/tree.js';
import { defineOperation } from '../../../operations/operation.js';
import type { RunContext } from '../../../operations/operation.js';
import { actorName } from '../../../operations/shared/actor.js';
import { parseDuration } from '../../../operations/shared/duration.js';
import {
  choice,
  count,
  field,
  planArgument,
  text,
  texts,
  toggle,
  whole,
} from '../../../operations/shared/fields.js';
import { planToChange } from '../../../operations/shared/find-to-change.js';
import { summaryNow } from '../../../operations/shared/summary-now.js';
import { isArchived } from '../../../operations/work/nothing-ready.js';
import { checkInWords } from '../../../operations/editing/given-work.js';
import { findHead, headOf } from '../attempt/land.js';
import { lookAhead } from '../attempt/landed-elsewhere.js';
import { openWork } from '../attempt/open-work.js';
import { checksOf } from '../attempt/check-commit.js';
import { carryOut, refuseUnless } from '../attempt/run-attempt.js';
import { pauseStamp, readAttempts, whileTaking } from '../attempt/state.js';
import type { Attempt } from '../attempt/state.js';
import { createTurns } from '../attempt/turns.js';
import { REVIEWS } from '../attempt/work.js';
import type { Work } from '../attempt/work.js';
import { leftBehind, nextAttempt, readyNow, scopeOf, takenOver, withAllNeeded } from './choose-goal.js';
import type { InScope } from './choose-goal.js';
import { goalShown, numberNow } from './goal-number.js';
import { createSpending, endLine, progressTo } from './work-progress.js';
import type { Spending } from './work-progress.js';
import { reportOf, STATUS, workReportSchema } from './work-report.js';
import type { Progress, WorkReport } from './work-report.js';

const MOST_PARALLEL = 16;
const TIMEOUT = '30m';
const LONGEST_MS = 7 * 86_400_000;
/** Goals, beyond those that can begin at once, whose needs are looked at before one is chosen. */
const LOOKED_AHEAD = 20;

const inputSchema = z.strictObject({
  plan: planArgument(),
  with: text('the agent: one of your own config, or claude, codex, gemini', 'agent'),
  parallel: field(z.int().min(1).max(MOST_PARALLEL).optional(), 'most agents at once (default: 1)', {
    value: 'n',
  }),
  goals: texts('only these goals, and what is below them', 'goal', { flag: 'goal' }),
  base: text('the branch that work lands on (default: the one checked out)', 'branch'),
  review: choice(REVIEWS, 'what a person is asked about (default: needed)', { value: 'kind' }),
  tries: field(z.int().min(1).max(20).optional(), 'most tries of a goal (default: 3)', { value: 'n' }),
  timeout: text('most time of a try (default: 30m); a bare number is seconds', 'time'),
  budgetGoals: whole('begin at most this many goals'),
  budgetUsd: count('begin nothing after so many dollars; for agents that report what they cost'),
  budgetSeconds: count('begin nothing after so many seconds'),
  by: text('who works (default: user@host)', 'name'),
  dryRun: toggle('only show what would start'),
});

type WorkInput = z.output<typeof inputSchema>;

/**
 * Has agents do the goals of a plan, until nothing can start: each in a clone of its own, checked on what lands, and
 * landed on the base one at a time. Attempts of commands that were killed go on first.
 * @throws PlanError REFUSED, UNTRUSTED_COMMAND, E_TOOL_UNTRUSTED, E_SANDBOX_MISSING, INVALID_INPUT before anything began
 */
export const workPlan = defineOperation({
  arguments: ['plan'],
  input: inputSchema,
  output: workReportSchema,
  examples: ['plan work --with claude --dry-run', 'plan work --with mine --parallel 3 --timeout 20m'],
  mutates: true,
  interruptible: 'in steps',
  async run(context: RunContext, input): Promise<WorkReport> {
    const log = await planToChange(context, input.plan);
    const opened = await openWork(context, log, { ...input, timeoutMs: timeoutOf(input.timeout) });
    refuseUncounted(opened.agent, input);
    const spending = createSpending();
    const project = (await context.projectConfig()).work?.parallel ?? MOST_PARALLEL;
    const slots = Math.min(input.parallel ?? 1, project);
    const work: Work = {
      ...opened,
      turns: createTurns(slots),
      drop: context.dropSignal ?? new AbortController().signal,
      told: spending.heard,
      dollarsLeft: () => (input.budgetUsd === undefined ? null : spending.left(input.budgetUsd, 0)),
    };
    const scope = scopeOf(work, input.goals);
    refuseUnchecked(work, scope);
    if (input.dryRun === true) return await dryRun(work, scope, input);
    return workOff(work, scope, { ...input, parallel: slots }, spending);
  },
  exitStatus: ({ ended }) => (ended === undefined ? 0 : STATUS[ended]),
});

/** A budget in dollars needs an agent that says what it cost. @throws PlanError REFUSED */
function refuseUncounted({ name, output }: Work['agent'], { budgetUsd }: WorkInput): void {
  refuseUnless(
    budgetUsd === undefined || output === 'claude',
    `the agent ${name} does not report what it costs, so that --budget-usd cannot hold`,
    'Leave it out, and bound the work with --budget-goals, --budget-seconds or --timeout.',
  );
}

/** Returns milliseconds. @throws PlanError INVALID_INPUT */
function timeoutOf(given: string = TIMEOUT): number {
  const milliseconds = /^\d{1,9}$/.test(given.trim()) ? Number(given) * 1000 : parseDuration(given);
  if (milliseconds !== null && milliseconds >= 1000 && milliseconds <= LONGEST_MS) return milliseconds;
  throw new PlanError(
    'INVALID_INPUT',
    `--timeout ${JSON.stringify(truncate(given, 40))} is not a time from 1s to 7d`,
    {
      hint: { commandLine: 'Give a whole number with its unit: 90s, 30m or 2h.' },
    },
  );
}

/** Where nobody is asked, every goal has a check. @throws PlanError REFUSED */
function refuseUnchecked(work: Work, scope: InScope): void {
  if (work.review !== 'none') return;
  const bare = [...work.log.plan.goals.values()].find(
    ({ id, status }) => status === 'atomic' && scope(id) && checksOf(work, { goal: id }).length === 0,
  );
  refuseUnless(
    bare === undefined,
    `goal ${bare === undefined ? '' : goalInWords(work.log.plan, bare)} has no check, and --review none asks nobody`,
    'Give it one (`plan edit GOAL --check …`), set work.checks, or leave --review none out.',
  );
}

async function dryRun(work: Work, scope: InScope, { parallel = 1 }: WorkInput): Promise<WorkReport> {
  const { plan } = work.log;
  const missing: Progress['missing'] = new Map();
  const kept = (await readAttempts(work.root, plan.header.id)).filter(({ goal }) => scope(goal));
  const left = (await leftBehind(work, scope)).flatMap(({ goal }) => plan.goals.get(goal) ?? []);
  const open = readyNow(work, scope, {
    running: left.map(({ id }) => id),
    others: kept.map(({ goal }) => goal),
  });
  const most = Math.max(0, parallel - left.length);
  const ready = await withAllNeeded(work, open, { most, missing });
  const would = [...left, ...ready.map(({ goal }) => goal)];
  const waiting = kept.flatMap(({ goal, state }) =>
    state === 'waiting' ? [goalShown({ goal, number: numberNow(plan, goal) })] : [],
  );
  const waits = waiting.length === 0 ? '' : `; what agents made of ${firstOf(waiting)} waits for you`;
  return {
    plan: summaryNow(work.context, plan),
    would: would.map((goal) => ({
      goal: goal.id,
      number: numberOf(plan, goal),
      agent: work.agent.name,
      checks: checksOf(work, { goal: goal.id }).map(checkInWords),
      touches: touchesOf(goal),
    })),
    refused: would.length === 0 ? `no goal can start${waits}` : null,
    ...(missing.size === 0 ? {} : { missing: [...missing.values()] }),
  };
}

async function workOff(
  work: Work,
  scope: InScope,
  input: WorkInput & { readonly parallel: number },
  spending: Spending,
): Promise<WorkReport> {
  const { context, log, git, branch } = work;
  const from = await headOf(git, branch);
  const began = performance.now();
  const so: Progress = {
    ends: [],
    running: new Map(),
    begun: 0,
    stopped: null,
    isOver: false,
    isPaused: false,
    spending,
    trouble: undefined,
    missing: new Map(),
  };
  const slots = input.parallel;
  const by = actorName(context, input);
  // What has had its agent is checked and lands while the next one works; one agent alone goes on from what has landed.
  const most = slots === 1 ? 1 : 2 * slots;
  const hasRoom = () => so.running.size < most && work.turns.isFree() && so.stopped === null && !so.isPaused;
  const taking = async <T>(take: () => Promise<T>) => whileTaking(work.root, log.plan.header.id, take);
  const left = [...(await taking(async () => takenOver(work, scope)))];
  const isOver = () =>
    (input.budgetUsd !== undefined && so.spending.left(input.budgetUsd, so.running.size) <= 0) ||
    (input.budgetGoals !== undefined && so.begun >= input.budgetGoals) ||
    (input.budgetSeconds !== undefined && performance.now() - began >= input.budgetSeconds * 1000);
  const stamp = await pauseStamp(work.root, log.plan.header.id);
  for (;;) {
    await log.refresh();
    so.isPaused =
      isArchived(log.plan) ||
      context.signal?.aborted === true ||
      context.dropSignal?.aborted === true ||
      (await pauseStamp(work.root, log.plan.header.id)) !== stamp;
    if (hasRoom()) {
      const ready = readyNow(work, scope, { running: [...so.running.keys()], others: [] });
      await lookAhead(
        work,
        ready.slice(0, slots + LOOKED_AHEAD).map(({ goal }) => goal),
      );
    }
    while (hasRoom()) {
      // What was begun before goes on, whatever the budget.
      const begun = left.shift();
      if (begun === undefined && isOver()) {
        so.isOver = true;
        break;
      }
      const attempt = begun ?? (await taking(async () => nextAttempt(work, scope, by, so)));
      if (attempt === null) break;
      if (begun === undefined) so.begun += 1;
      so.running.set(attempt.goal, attemptOne(work, attempt, so));
    }
    if (so.running.size === 0) break;
    await Promise.race([...so.running.values(), work.turns.freed()]);
  }
  if (so.trouble !== undefined && so.ends.length === 0) throw so.trouble;
  const base = { branch, from, to: (await findHead(git, branch)) ?? from };
  return reportOf(work, { so, base, scope, waits: await waitsForPerson(work, scope) });
}

/** Whether what an agent made, now or before, waits for a person. */
async function waitsForPerson({ root, log }: Work, scope: InScope): Promise<boolean> {
  const kept = await readAttempts(root, log.plan.header.id);
  return kept.some(({ goal, state }) => state === 'waiting' && scope(goal));
}

async function attemptOne(work: Work, attempt: Attempt, so: Progress): Promise<void> {
  try {
    // A change of its own, so that `undo` takes back goal by goal.
    const context = { ...work.context, ...work.context.newChange() };
    const log = await context.store().open(attempt.plan);
    const tell = progressTo(context, log);
    const told: Work['told'] = (now, line) => {
      work.told(now);
      tell(now, line);
    };
    const end = await carryOut({ ...work, context, log, told }, attempt);
    so.spending.heard(end.attempt);
    if ((work.dollarsLeft() ?? 1) <= 0) so.isOver = true;
    work.context.emit({ type: 'notice', message: endLine(log, end) });
    if (end.outcome === 'agent') so.stopped = 'agent';
    so.ends.push(end);
  } catch (cause) {
    so.stopped = 'storage';
    so.trouble = cause;
    work.context.emit({ type: 'notice', message: cause instanceof Error ? cause.message : String(cause) });
  } finally {
    so.running.delete(attempt.goal);
  }
}

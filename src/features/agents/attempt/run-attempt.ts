import { whileLocked } from '../../../host/files/file-lock.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import { firstOf } from '../../../kernel/text/first-of.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { completeGoal } from '../../../operations/work/complete-goal.js';
import { isOfOtherWords, notToComplete, wordsOf } from './goal-now.js';
import { checkCommit, checksOf, markOfChecks, whyWaiting } from './check-commit.js';
import { makeTrees, ownGit, placesOf } from './clone.js';
import { namedByGit, protectedFiles } from './forbidden.js';
import type { ChangedFile } from './forbidden.js';
import { gather, withLeft } from './gather.js';
import type { Gathered } from './gather.js';
import { claimed, keepClaim, renewed } from './lease.js';
import { bringCommit, changedBetween, findHead, headOf, isLanded, mergeOnto } from './land.js';
import { leakedSince, outsideOf } from './leaks.js';
import { isLoserFirst, waitForLosers } from './loser-first.js';
import { moveBase } from './move-base.js';
import { within } from './presets.js';
import { promptFor } from './prompt.js';
import {
  attemptRef,
  failTry,
  forget,
  IN_CONFLICT,
  isNoted,
  keep,
  note,
  NO_WORK,
  waitForPerson,
} from './record.js';
import { endMarked, readAgentResult, runAgent } from './run-agent.js';
import { commandsOf } from './run-checks.js';
import { attemptFolder, landLock, moveLock, saveAttempt } from './state.js';
import type { Attempt } from './state.js';
import type { AttemptEnd, Work } from './work.js';

const MOST_CONFLICTS = 5;
/** Steps up to the end of the agent; those after it need no turn. */
const WITH_AGENT: ReadonlySet<Attempt['step']> = new Set(['claim', 'clone', 'agent']);
/** Whoever lands may run checks meanwhile. */
const PATIENCE = 1_000_000;
const SERVICE =
  /usage limit|rate.?limit|quota|overloaded|credit balance|too many requests|not logged in|run \/login|codex login|set an auth method|api key|unauthorized|authentication|waiting for network|failed to lookup|connection (?:failed|refused|error)/i;

/** What a step comes to: the attempt as it goes on, or how it ended. */
type StepEnd = Attempt | AttemptEnd;

/**
 * Carries an attempt out from the step where it is. What is killed at any moment goes on from what is written down.
 * @throws PlanError STORAGE_FAILED for git or the disk, REFUSED for an agent that cannot be started
 */
export async function carryOut(work: Work, begun: Attempt): Promise<AttemptEnd> {
  const over = new AbortController();
  const lost = new AbortController();
  const renewing = keepClaim(work, begun, over.signal, lost);
  let hasTurn = false;
  const seeToTurn = async ({ step }: Attempt) => {
    if (WITH_AGENT.has(step) === hasTurn) return;
    hasTurn = !hasTurn;
    if (hasTurn) await work.turns.take();
    else work.turns.giveBack();
  };
  try {
    await seeToTurn(begun);
    // Somebody else may have taken the goal since its process was killed; what has landed is completed all the same.
    const isUnderWay = !['claim', 'move', 'complete', 'remove'].includes(begun.step);
    if (isUnderWay && !(await renewed(work, begun))) return await give(work, { attempt: begun });
    let now = begun;
    work.told(now);
    for (;;) {
      const next = await takeStep(work, now, AbortSignal.any([work.drop, lost.signal]));
      if ('outcome' in next)
        return lost.signal.aborted && next.outcome === 'interrupted' ? give(work, next) : next;
      now = next;
      await saveAttempt(work.root, now);
      work.told(now);
      await seeToTurn(now);
    }
  } finally {
    if (hasTurn) work.turns.giveBack();
    over.abort();
    await renewing;
  }
}

async function takeStep(work: Work, now: Attempt, signal: AbortSignal): Promise<StepEnd> {
  switch (now.step) {
    case 'claim':
      return claim(work, now);
    case 'clone':
      return clone(work, now);
    case 'agent':
      return agent(work, now, signal);
    case 'gather':
      return gathered(work, now);
    case 'check':
      return checked(work, now, signal);
    case 'land':
    case 'move':
      for (;;) {
        await waitForLosers(work, now, signal);
        const end = await whileLocked(landLock(work.root, now), async () => land(work, now, signal), {
          patience: PATIENCE,
          signal,
        }).catch((thrown: unknown) => {
          // Whoever holds the lock may run checks for long.
          if (signal.aborted && thrown instanceof Error && thrown.name === 'AbortError')
            return { attempt: now, outcome: 'interrupted', reason: 'stopped' } as const;
          throw thrown;
        });
        if (end !== 'others_first') return end;
      }
    case 'complete':
      return complete(work, now);
    case 'remove':
      return remove(work, now);
  }
}

async function claim(work: Work, now: Attempt): Promise<StepEnd> {
  // Read after the token was written down: a claim whose token nobody knows would block the goal.
  const from = await headOf(work.git, now.branch);
  const { claim: held } = work.log.plan.goals.get(now.goal) ?? {};
  if (held?.token !== now.token && !(await claimed(work, now))) {
    await forget(work, now);
    return { attempt: now, outcome: 'refused', reason: null };
  }
  return { ...now, step: 'clone', from };
}

async function clone(work: Work, now: Attempt): Promise<StepEnd> {
  const from = now.from ?? (await headOf(work.git, now.branch));
  const places = placesOf(attemptFolder(work.root, now));
  const { top, branch } = now;
  const { copy, objects, variables } = work;
  await makeTrees(places, { from, branch, copy, top, objects, variables });
  if (now.marked !== null)
    await ownGit(places, places.tree, variables)(['read-tree', '-m', '-u', from, now.marked]);
  return { ...now, from, step: 'agent' };
}

async function agent(work: Work, now: Attempt, signal: AbortSignal): Promise<StepEnd> {
  // What an earlier process had started may still run.
  if (now.runs > 0) await endMarked(now.token);
  const left = work.dollarsLeft();
  if (left !== null && left <= 0)
    return { attempt: now, outcome: 'interrupted', reason: 'the budget is used up' };
  const places = placesOf(attemptFolder(work.root, now));
  const prompt = await promptFor(work, now);
  const told = wordsOf(work.log, now.goal);
  const running: Attempt = { ...now, told, runs: now.runs + 1, interrupted: true };
  await saveAttempt(work.root, running);
  const began = performance.now();
  const before = await outsideOf(work, now, signal);
  const end = await runAgent({
    agent: within(work.agent, left),
    places,
    token: now.token,
    goal: now.goal,
    tryNumber: now.try,
    prompt,
    timeoutMs: work.timeoutMs,
    signal,
    onLine: (line) => work.told(now, line),
    isSandboxed: work.isSandboxed,
    objects: work.objects,
    homeFolder: work.context.environment.homeFolder,
    variables: work.variables,
  });
  const ran: Attempt = {
    ...running,
    seconds: now.seconds + Math.round(performance.now() - began) / 1000,
    cost_usd: end.cost_usd === null ? now.cost_usd : (now.cost_usd ?? 0) + end.cost_usd,
    session: end.session ?? now.session,
    leaked: [...new Set([...now.leaked, ...leakedSince(before, await outsideOf(work, now, signal))])],
  };
  if (end.kind === 'aborted') {
    await saveAttempt(work.root, ran);
    return { attempt: ran, outcome: 'interrupted', reason: 'stopped' };
  }
  if (end.problem === null) return { ...ran, interrupted: false, step: 'gather' };
  const isOfPreset = work.agent.output !== undefined && work.agent.output !== 'text';
  // What was accepted waits for its person, whatever keeps the agent from working.
  if (now.fallback === null && (end.isMissing || (isOfPreset && SERVICE.test(end.problem)))) {
    await saveAttempt(work.root, { ...ran, interrupted: false });
    return { attempt: ran, outcome: 'agent', reason: end.problem };
  }
  // What was stopped in the middle is no failure that comes back.
  const failed = end.kind === 'exited' ? ran.failed : null;
  const { commit, files, left: unkept } = await gatherFrom(work, ran);
  const problem = withLeft(end.problem, unkept);
  return failTry(work, { ...ran, commit, files: pathsOf(files), failed, interrupted: false }, problem);
}

/** Makes a commit of what the agent left, and brings it into the user's repository. */
async function gatherFrom(work: Work, now: Attempt): Promise<Gathered> {
  await endMarked(now.token);
  const places = placesOf(attemptFolder(work.root, now));
  const own = ownGit(places, places.tree, work.variables);
  const from = now.from ?? '';
  const { tree } = places;
  const { identity, copy } = work;
  const made = await gather(own, { tree, from, message: messageFor(work, now), identity, copy });
  const { commit } = made;
  if (commit !== null) await bringCommit(own, work.git, { commit, base: from, ref: attemptRef(now) });
  return made;
}

const pathsOf = (files: readonly ChangedFile[]) => files.map(({ path }) => path);

async function gathered(work: Work, now: Attempt): Promise<StepEnd> {
  const made = await gatherFrom(work, now);
  const { commit, problem } = made;
  if (problem !== null || commit === null)
    return failTry(
      work,
      { ...now, commit, files: pathsOf(made.files) },
      withLeft(problem ?? 'the agent changed nothing', made.left),
    );
  const [{ summary = null, decisions = [] }, named] = await Promise.all([
    readAgentResult(placesOf(attemptFolder(work.root, now)), work.clean),
    namedByGit(work),
  ]);
  const reasons = [
    ...now.leaked,
    ...protectedFiles(made.files, {
      protect: work.protect,
      named,
      checks: work.checkTools === null ? [] : commandsOf(work.checkTools, checksOf(work, now)),
    }),
  ];
  if (reasons.length > 0 && work.review === 'none')
    return failTry(work, { ...now, commit }, `a person would have to decide: ${reasons.join('; ')}`);
  return {
    ...now,
    commit,
    files: pathsOf(made.files),
    summary,
    decisions: [...decisions],
    reason: reasons.length === 0 ? null : firstOf(reasons, '; '),
    step: 'check',
  };
}

async function checked(work: Work, now: Attempt, signal: AbortSignal): Promise<StepEnd> {
  await work.log.refresh();
  if (isOfOtherWords(work.log, now)) return begunAnew(work, now);
  const checks = checksOf(work, now);
  const problem = await checkCommit(work, now, { commit: now.commit ?? '', signal });
  if (signal.aborted) return { attempt: now, outcome: 'interrupted', reason: 'stopped' };
  if (problem !== null) return failTry(work, now, problem);
  const isUnchecked = work.checkTools === null && checks.length > 0;
  const why =
    whyWaiting(work, now, checks.length) ?? (isUnchecked ? 'its checks were given to it meanwhile' : null);
  const checkedNow: Attempt = { ...now, checked: markOfChecks(work, now), step: 'land' };
  if (why === null) return { ...checkedNow, reason: null };
  return waitForPerson(work, checkedNow, why);
}

/** Brings the work onto the base as it is, checks that, and moves the base. Nobody else does so meanwhile. */
async function land(work: Work, now: Attempt, signal: AbortSignal): Promise<StepEnd | 'others_first'> {
  const { branch, token } = now;
  const from = now.from ?? '';
  const onto = await findHead(work.git, branch);
  if (onto === null)
    return waitForPerson(
      work,
      now,
      `there is no branch ${branch} any more: make it again (\`git branch ${branch} ${from.slice(0, 10)}\`), and accept the attempt`,
    );
  if (onto !== from && (await isLanded(work.git, { branch, token, from })))
    return { ...now, step: 'complete' };
  if (await isLoserFirst(work, now)) return 'others_first';
  const commit = now.commit ?? '';
  const merge = await mergeOnto(work.git, {
    onto,
    from,
    commit,
    message: messageFor(work, now),
    identity: work.identity,
  });
  if (merge.kind === 'conflict') return conflicted(work, now, merge);
  if (merge.commit !== commit) {
    const problem = await checkCommit(work, now, { commit: merge.commit, signal });
    if (signal.aborted) return { attempt: now, outcome: 'interrupted', reason: 'stopped' };
    if (problem !== null) return failTry(work, now, `on the base as it is now, ${problem}`);
  }
  if (!(await renewed(work, now))) return give(work, { attempt: now });
  if (isOfOtherWords(work.log, now)) return begunAnew(work, now);
  if (now.checked !== null && now.checked !== markOfChecks(work, now)) return { ...now, step: 'check' };
  const { onto: base, commit: landing } = merge;
  const files = [...(await changedBetween(work.git, base, landing))];
  const moving: Attempt = { ...now, files, merged: { onto: base, commit: landing }, step: 'move' };
  await saveAttempt(work.root, moving);
  const begun = now.merged === null ? null : { commit: now.merged.commit, isCut: now.step === 'move' };
  const move = async () => moveBase(work, { branch, onto: base, commit: landing, begun });
  const hindrance = await whileLocked(moveLock(work.root, now), move, { patience: PATIENCE });
  if (hindrance === null) return { ...moving, step: 'complete' };
  if (hindrance === 'base_moved') return { ...moving, step: 'land' };
  return waitForPerson(work, { ...moving, step: 'land' }, hindrance.why);
}

async function complete(work: Work, now: Attempt): Promise<StepEnd> {
  const { branch, token, goal } = now;
  if (!(await isLanded(work.git, { branch, token, from: now.from ?? '' }))) return { ...now, step: 'land' };
  await work.log.refresh();
  const { status } = work.log.plan.goals.get(goal) ?? {};
  // First, so that nobody finds the goal completed and no landing.
  if (!(await isNoted(work, now))) await note(work, now, 'landed', null);
  let reason: string | null = null;
  if (status === 'atomic') {
    // It is completed once the plan is back, or the hold ends.
    const why = notToComplete(work, goal);
    if (why !== null) return { attempt: now, outcome: 'interrupted', reason: `it has landed, but ${why}` };
    if (!(await renewed(work, now))) await claimed(work, now);
    reason = await completeGoal
      .run(
        { ...work.context, ...work.context.newChange(), emit: () => undefined },
        {
          goal,
          token,
          by: now.by,
          summary: now.summary ?? `Landed ${now.merged?.commit ?? now.commit ?? ''}`,
          decisions: now.decisions,
          artifacts: now.files.slice(0, 100),
        },
      )
      .then(() => null, messageOf);
  }
  if (reason !== null) await note(work, now, 'landed', reason);
  return { ...now, reason, step: 'remove' };
}

async function remove(work: Work, now: Attempt): Promise<AttemptEnd> {
  await forget(work, now);
  return { attempt: now, outcome: 'landed', reason: now.reason };
}

async function conflicted(
  work: Work,
  now: Attempt,
  { onto, tree, files }: { readonly onto: string; readonly tree: string; readonly files: readonly string[] },
): Promise<StepEnd> {
  const reason = `${IN_CONFLICT}, in ${firstOf(files)}`;
  if (now.conflicts + 1 >= MOST_CONFLICTS) return failTry(work, { ...now, try: work.tries }, reason);
  await keep(work, now);
  await note(work, now, 'conflict', reason);
  const since = now.first?.since ?? work.context.environment.now();
  const first = {
    files: [...new Set([...(now.first?.files ?? []), ...files])],
    since,
    until: since + work.timeoutMs,
  };
  const { commit, from, told, summary, decisions } = now;
  const isAccepted = commit !== null && from !== null && now.accepted === commit;
  const fallback = isAccepted ? { commit, from, told, files: now.files, summary, decisions } : now.fallback;
  const conflicts = now.conflicts + 1;
  return { ...now, ...NO_WORK, from: onto, marked: tree, conflicts, first, fallback, step: 'clone' };
}

/** What was made for a goal that reads otherwise by now does not land: the agent is told the new words, and no try is counted. */
async function begunAnew(work: Work, now: Attempt): Promise<StepEnd> {
  await keep(work, now);
  await note(work, now, 'interrupted', 'the goal was changed while it was worked on');
  return { ...now, ...NO_WORK, fallback: null, from: await headOf(work.git, now.branch), step: 'clone' };
}

/** Keeps what was made, where the goal is no longer this attempt's. */
async function give(work: Work, { attempt }: Pick<AttemptEnd, 'attempt'>): Promise<AttemptEnd> {
  const kept = await keep(work, attempt);
  const reason = `the claim is over${kept === null ? '' : `; what was made is kept as ${kept}`}`;
  await note(work, attempt, 'interrupted', reason);
  await forget(work, attempt);
  return { attempt, outcome: 'lost', reason };
}

function messageFor({ log, agent: { name } }: Work, { goal, token }: Attempt): string {
  const description = log.plan.goals.get(goal)?.description ?? goal;
  const title = truncate(oneLine(description), 100);
  return `${title}\n\nPlan-Goal: ${goal}\nPlan-Attempt: ${token}\nPlan-Agent: ${name}\n`;
}

/** Refuses to go on with what cannot be. @throws PlanError REFUSED */
export function refuseUnless(condition: boolean, message: string, hint: string): asserts condition {
  if (!condition) throw new PlanError('REFUSED', message, { hint: { commandLine: hint } });
}

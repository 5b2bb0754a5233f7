import { codeKeyId, isStoredCode } from '../../model/approvals/approval-code.js';
import type { RunLog } from '../../model/run-log.js';
import { isCodeVoid, MOST_WRONG_CODES, wrongCodesOfRun } from '../../model/run.js';
import { scopeOfStep } from '../../model/steps/instance-names.js';
import type { Run, RunWaiting } from '../../model/run.js';
import { PlanError } from '../../../../kernel/errors.js';
import type { RunStore } from '../../storage/run-store.js';

/** What is asked of a person: to agree to a run, or to one step of it with just these arguments. */
export interface Asked {
  readonly log: RunLog;
  /** `run`, or an instance of a step. */
  readonly scope: string;
  readonly args_digest: string | undefined;
  /** The arguments, whole; none where it is not about a call. */
  readonly args: Pick<RunWaiting, 'args' | 'args_file' | 'named'>;
  readonly expires_at: string;
  /** Whose key has drawn the code, where that is known. */
  readonly code_key: string | undefined;
  /** What is asked, in a line; null for the run as a whole. */
  readonly summary: string | null;
  /** Whether it was agreed to before. */
  readonly isConsumed: boolean;
}

/**
 * What a code approves. A code that is of no run counts against every run that waits for one of the same user: whoever
 * guesses guesses at all of them. With another key than that which has drawn it no code is ever right, so that nobody's
 * guesses void what others are asked.
 * @throws PlanError E_APPROVAL_NOT_FOUND
 */
export async function askedByCode(
  runs: RunStore,
  code: string,
  key: Uint8Array | null,
  now: number,
): Promise<Asked> {
  if (key === null) throw notFound(null);
  const open = (await runs.list('open')).runs;
  const asked = await askedOfOne(runs, open, { code, key });
  if (asked !== null) return asked;
  // What is over asks for nothing any more, but its codes are known.
  const seen = new Set(open.map(({ id }) => id));
  const over = (await runs.list()).runs.filter(({ id }) => !seen.has(id));
  const before = await askedOfOne(runs, over, { code, key });
  if (before !== null) return before;
  const own = codeKeyId(key);
  const waiting = open.filter((run) => codesAskedFor(run, { now, key: own }) > 0);
  for (const { id } of waiting) await (await runs.open(id)).append([{ type: 'code_refused', code_key: own }]);
  const left = waiting.map((run) => MOST_WRONG_CODES - 1 - mostGuessesAt(run, own));
  throw notFound(
    waiting.length === 0
      ? null
      : Math.max(
          0,
          left.reduce((least, one) => Math.min(least, one)),
        ),
  );
}

/** How many wrong codes were given before that could have been one of the codes of a run, of the code with the most. */
function mostGuessesAt(run: Run, own: string): number {
  const keys = run.executor === null ? [run.prepared.code_key] : run.waiting.map(({ code_key }) => code_key);
  const counts = keys
    .filter((key) => key === undefined || key === own)
    .map((key) => wrongCodesOfRun(run, key));
  return counts.reduce((most, count) => Math.max(most, count), -Infinity);
}

/** @param left how many more guesses there are; null where nothing waits for a code of this user */
function notFound(left: number | null): PlanError {
  return new PlanError('E_APPROVAL_NOT_FOUND', 'no run here waits for this code', {
    hint: {
      commandLine:
        left === null
          ? 'No run of this store waits for a code of yours: a code is for the user who was given it. `plan prepare` prints one.'
          : left === 0
            ? 'Too many wrong codes: your runs that waited for one accept none any more. Prepare them again.'
            : `Check the code: after ${left} more wrong ${left === 1 ? 'one' : 'ones'} your waiting runs accept none any more.`,
    },
    details: { left },
  });
}

/** What is asked of a run, or of the step that is named. @throws PlanError WRONG_STATE when nothing is */
export function askedOfRun(log: RunLog, step: string | undefined): Asked {
  const { run } = log;
  const steps = run.waiting.filter((one) => one.for === 'approval');
  const asked =
    step === undefined && run.executor !== null && steps.length === 1
      ? steps[0]
      : steps.find((one) => one.step === step);
  if (asked !== undefined)
    return {
      log,
      scope: scopeOfStep(asked.step),
      args_digest: asked.args_digest,
      args: asked,
      expires_at: asked.expires_at ?? run.prepared.expires_at,
      code_key: asked.code_key,
      summary: asked.summary,
      isConsumed: false,
    };
  if (step === undefined && run.executor === null) return wholeRun(log);
  throw new PlanError(
    'WRONG_STATE',
    `${run.id} does not ask for an approval${step === undefined ? '' : ` of ${step}`}`,
    {
      hint: {
        commandLine:
          steps.length === 0
            ? `\`plan runs show ${run.id}\` shows how far it is.`
            : `It asks for ${steps.map((one) => one.step).join(', ')}; --step names one.`,
      },
      details: { run: run.id, waiting: steps.map((one) => one.step) },
    },
  );
}

async function askedOfOne(runs: RunStore, some: readonly Run[], tried: Tried): Promise<Asked | null> {
  for (const run of some) {
    const asked = await scopeOf(runs, run, tried);
    if (asked !== null) return asked;
  }
  return null;
}

interface Tried {
  readonly code: string;
  readonly key: Uint8Array;
}

async function scopeOf(runs: RunStore, run: Run, { code, key }: Tried): Promise<Asked | null> {
  const isOf = (scope: string, args_digest: string, stored: string | undefined) =>
    stored !== undefined && isStoredCode(key, code, { run: run.id, scope, args_digest }, stored);
  if (isOf('run', '', run.prepared.code)) return wholeRun(await runs.open(run.id));
  const asked = run.waiting.find((one) => isOf(scopeOfStep(one.step), one.args_digest ?? '', one.code));
  if (asked !== undefined) return askedOfRun(await runs.open(run.id), asked.step);
  return pastStep(await runs.open(run.id), isOf);
}

/** A step that asked once and does so no more: its code has been used. */
async function pastStep(
  log: RunLog,
  isOf: (scope: string, args_digest: string, stored: string | undefined) => boolean,
): Promise<Asked | null> {
  for (const event of await log.events())
    if (event.type === 'waiting' && isOf(scopeOfStep(event.step), event.args_digest ?? '', event.code))
      return {
        log,
        scope: scopeOfStep(event.step),
        args_digest: event.args_digest,
        args: { args: event.args, args_file: event.args_file, named: event.named },
        expires_at: event.expires_at ?? log.run.prepared.expires_at,
        code_key: event.code_key,
        summary: event.summary,
        isConsumed: true,
      };
  return null;
}

function wholeRun(log: RunLog): Asked {
  const { run } = log;
  return {
    log,
    scope: 'run',
    args_digest: undefined,
    args: { args: undefined, args_file: undefined, named: run.prepared.named },
    expires_at: run.prepared.expires_at,
    code_key: run.prepared.code_key,
    summary: null,
    isConsumed: run.executor !== null || run.ended !== null,
  };
}

/** So many codes of one user may be good at once in a store: each makes it easier to guess one. */
export const MOST_CODES = 100;

/** When somebody looks for a code, and with whose key. */
interface Guess {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Null for a user who has none yet. */
  readonly key: string | null;
}

/** How many codes a run takes that may be of a user's key, its own or those of its steps. */
export function codesAskedFor(run: Run, { now, key }: Guess): number {
  if (run.ended !== null) return 0;
  const isLive = (one: {
    readonly code?: string | undefined;
    readonly code_key?: string | undefined;
    readonly expires_at?: string | undefined;
  }) =>
    one.code !== undefined &&
    (one.code_key === undefined || one.code_key === key) &&
    !isCodeVoid(run, one.code_key) &&
    (one.expires_at === undefined || Date.parse(one.expires_at) >= now);
  if (run.executor === null) return isLive(run.prepared) ? 1 : 0;
  return run.waiting.filter(isLive).length;
}

import { LONGEST_TIMER_MS } from '../../../kernel/longest-timer.js';
import type { Check } from '../../actions/model/action-plan.js';
import { messageOf } from '../../../kernel/errors.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Condition, ConditionResult } from '../model/tool.js';
import type { RunFailure } from '../model/events/run-fields.js';
import { OUTPUT_CUT } from '../model/values/resolve.js';
import type { Resolved, Resolver } from '../model/values/resolve.js';
import { conditionInWords } from './condition-in-words.js';
import { earlierCallsOf } from './earlier-calls.js';
import { fileChanged } from './named-files.js';
import { Halted } from './session.js';
import type { Session } from './session.js';

/** Milliseconds that one look may take, where the condition does not say it. */
export const CHECK_MS = 30_000;
/** Milliseconds between two looks, where the executor is told nothing else. */
export const POLL_MS = 250;
/** What a look takes besides the time that is waited. */
const DURATION_EXTRA_MS = 1000;

/** For how long SoulBrowser looks for what a step is validated by, where that does not say it. */
const SOUL_MS = 10_000;

/** How long one look may take, in milliseconds: waiting for the time that SoulBrowser names is part of it. */
export function checkLimit({ type, args, timeout_ms: own = 0 }: Check): number {
  if (own > 0) return Math.min(own, LONGEST_TIMER_MS);
  if (!type.startsWith('soul:')) return CHECK_MS;
  const named = namedTime(args);
  if (type === 'soul:Duration') return Math.min(named + DURATION_EXTRA_MS, LONGEST_TIMER_MS);
  return Math.min(type === 'soul:NetworkIdle' ? named + SOUL_MS : SOUL_MS, LONGEST_TIMER_MS);
}

/** The time that a condition of SoulBrowser's names, in milliseconds. */
function namedTime({ value }: JsonObject): number {
  return Math.max(0, Number(value) || 0);
}

/** For how long a condition is looked for again and again, in milliseconds; 0 where one look tells it. */
function waitedFor(check: Check, kind: ConditionChecks['kind']): number {
  const isValidation = kind === 'verification' && check.type.startsWith('soul:');
  return check.timeout_ms ?? (isValidation ? checkLimit(check) : 0);
}

/** Conditions that are to be looked at, and of what. */
export interface ConditionChecks {
  /** The instance; null for the plan. */
  readonly step: string | null;
  readonly kind: 'precondition' | 'verification';
  readonly checks: readonly Check[];
  /** From which on, from 0. */
  readonly from?: number;
  /** What the index of the first is in the log. */
  readonly offset?: number;
  /** Null where nothing is resolved. */
  readonly resolver: Resolver | null;
}

/**
 * Looks at conditions one after the other, each as long as it says, and writes down what is seen.
 * @returns what the first said that does not hold; null when all hold
 * @throws Halted when calls are dropped
 */
export async function checkConditions(session: Session, looking: ConditionChecks): Promise<Looked | null> {
  const { step, kind, checks, from = 0, offset = 0 } = looking;
  for (const [index, check] of checks.entries()) {
    if (index < from) continue;
    const looked = await checkNamed(session, { check, kind, index, resolver: looking.resolver });
    await session.append([
      {
        type: 'checked',
        ...(step === null ? {} : { step }),
        kind,
        index: index + offset,
        ...looked,
      },
    ]);
    if (!looked.ok) return looked;
  }
  return null;
}

/** What a look has told. */
export interface Looked extends ConditionResult {
  /** The code of the failure, where another than that of a condition that does not hold. */
  readonly code?: string;
}

interface NamedCheck {
  readonly check: Check;
  readonly kind: ConditionChecks['kind'];
  readonly index: number;
  readonly resolver: Resolver | null;
}

/** Looks at a condition; what does not hold is named, so that whoever reads it need not look it up in the plan. */
async function checkNamed(session: Session, { check, kind, index, resolver }: NamedCheck): Promise<Looked> {
  const args: Resolved<JsonObject> =
    resolver === null ? { value: check.args } : await resolver.object(check.args, `/${kind}s/${index}/args`);
  const looked: Looked =
    'error' in args ? unresolved(args.error) : await checkUntil(session, { check, kind }, args.value);
  if (looked.ok) return looked;
  const name = conditionInWords(check.type, 'error' in args ? check.args : args.value);
  return { ...looked, detail: `the ${kind} ${name} does not hold: ${looked.detail}` };
}

function unresolved({ code, message }: RunFailure): Looked {
  return { ok: false, detail: message, ...(code === OUTPUT_CUT ? { code } : {}) };
}

/** Milliseconds for which a condition must hold all the while; 0 for one that has to hold once. */
function holdingTime(type: string, args: JsonObject): number {
  const named = type === 'wa:pattern_absent' ? Number(args.wait_ms) : 0;
  return named > 0 ? named : 0;
}

/**
 * Looks again and again: until the condition holds or its time is over, or, where it must hold for a time, until it does
 * not or that time is over.
 */
async function checkUntil(
  session: Session,
  { check, kind }: Pick<NamedCheck, 'check' | 'kind'>,
  args: JsonObject,
): Promise<Looked> {
  const condition = session.toolbox.conditions.get(check.type);
  if (condition === undefined) return { ok: false, detail: `nothing is bound to ${check.type}` };
  const { clock, pollMs = POLL_MS, dropped } = session;
  const holding = holdingTime(check.type, args);
  let left = holding > 0 ? holding : waitedFor(check, kind);
  for (;;) {
    refuseDropped(session);
    // What must hold for a time is looked at once more after it: what a look saw may be as old as its beginning.
    const isLast = left <= 0;
    const began = clock.now();
    const looked = await checkOnce(session, condition, check, args);
    // A look that was dropped has not seen that anything does not hold.
    if (!looked.ok) refuseDropped(session);
    // A clock that is set back makes nothing longer.
    left -= Math.max(0, clock.now() - began);
    if (holding > 0 ? !looked.ok || isLast : looked.ok || left <= 0) return looked;
    const pause = Math.min(pollMs, Math.max(0, left));
    await clock.wait(pause, dropped);
    left -= pause;
  }
}

/** @throws Halted when calls are dropped */
function refuseDropped({ dropped }: Session): void {
  if (dropped.aborted) throw new Halted('signal');
}

async function checkOnce(
  session: Session,
  condition: Condition,
  check: Check,
  args: JsonObject,
): Promise<Looked> {
  const timeoutMs = checkLimit(check);
  try {
    const isKnown = canonicalJson(check.args) === canonicalJson(args);
    const path = await session.named.changed((await condition.named?.(args)) ?? [], isKnown);
    if (path !== null) {
      const { code, message } = fileChanged(check.type, path);
      return { ok: false, detail: message, code };
    }
    const earlier = earlierCallsOf(session.log);
    return await condition.look({ args, timeoutMs, signal: session.dropped, earlier });
  } catch (thrown) {
    // What cannot be looked at does not hold.
    return { ok: false, detail: messageOf(thrown) };
  }
}

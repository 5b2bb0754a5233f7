import { secretUses } from '../../../actions/tools/secret-uses.js';
import type { Check } from '../../../actions/model/action-plan.js';
import { messageOf } from '../../../../kernel/errors.js';
import { checkLimit } from '../../executor/check-conditions.js';
import { conditionInWords } from '../../executor/condition-in-words.js';
import { APPROVAL_CONDITION } from '../../model/steps/run-step.js';
import type { RunSteps } from '../../model/steps/run-step.js';
import type { Condition, Toolbox } from '../../model/tool.js';

/** A precondition of the plan as it is when the run is prepared. */
export interface PreconditionNow {
  readonly type: string;
  /** The type, and what it is about. */
  readonly condition: string;
  /** `pending`: it is looked at when the run begins, and not before. */
  readonly status: 'pass' | 'fail' | 'pending';
  readonly detail: string;
}

/** Milliseconds that one look may take here, and after which the others are left for the run. */
const MOST_LOOK_MS = 10_000;
const MOST_MS = 30_000;

/**
 * Looks once at each precondition of a plan, so that whoever approves knows what holds. What would be given a secret is not
 * looked at before somebody has approved it.
 */
export async function preconditionsNow(
  { root }: RunSteps,
  { conditions }: Toolbox,
  now: () => number,
): Promise<readonly PreconditionNow[]> {
  const began = now();
  const found: PreconditionNow[] = [];
  for (const check of root.plan.preconditions ?? []) {
    const { type, args } = check;
    const about = { type, condition: conditionInWords(type, args) };
    const condition = conditions.get(type);
    const left = MOST_MS - Math.max(0, now() - began);
    const pending = whyPending(type, condition, left);
    found.push(
      condition === undefined || pending !== null
        ? { ...about, status: 'pending', detail: pending ?? 'nothing is bound to it' }
        : { ...about, ...(await look(condition, check)) },
    );
  }
  return found;
}

function whyPending(type: string, condition: Condition | undefined, left: number): string | null {
  if (type === APPROVAL_CONDITION) return 'a person is asked';
  if (condition !== undefined && secretUses(condition.definition().binding).length > 0)
    return 'it gets a secret of yours, so nothing is looked at before the run is approved';
  return left > 0 ? null : 'there was no time left to look at it';
}

async function look(condition: Condition, check: Check): Promise<Pick<PreconditionNow, 'status' | 'detail'>> {
  const timeoutMs = Math.min(checkLimit(check), MOST_LOOK_MS);
  try {
    const { ok, detail } = await condition.look({
      args: check.args,
      timeoutMs,
      signal: new AbortController().signal,
    });
    return { status: ok ? 'pass' : 'fail', detail };
  } catch (thrown) {
    return { status: 'fail', detail: messageOf(thrown) };
  }
}

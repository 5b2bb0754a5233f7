import type { PreparedPolicy } from '../policy/prepared-policy.js';
import { checkPlan } from './check-plan.js';
import type { CheckOptions, FixableCheck } from './check-plan.js';
import type { TextEdit } from './finding.js';

/** A text after what could be mended has been. */
export interface FixedPlan {
  readonly text: string;
  /** How many findings were mended. */
  readonly fixed: number;
  /** The check of the text as it is now. */
  readonly check: FixableCheck;
}

/** Mending one thing may show another; no plan takes more rounds than this. */
const MOST_ROUNDS = 10;

/**
 * Mends what can be mended: duplicate ids, missing dependencies, swapped `args` and `parameters`, raw secrets. Only
 * what is wrong is edited; the rest of the text stays as it is, byte for byte. What it returns it leaves alone.
 * @throws PlanError as `checkPlan`
 */
export function fixPlan(text: string, policy: PreparedPolicy, options: CheckOptions = {}): FixedPlan {
  let current = text;
  let fixed = 0;
  let check = checkPlan(current, policy, options);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { edits, used } = chosen(check.fixes());
    if (used === 0) break;
    current = applyEdits(current, edits);
    fixed += used;
    check = checkPlan(current, policy, options);
  }
  return { text: current, fixed, check };
}

/** Fixes whose edits do not touch each other; the others wait for the next round. */
function chosen(fixes: readonly (readonly TextEdit[])[]): {
  readonly edits: readonly TextEdit[];
  readonly used: number;
} {
  const all = fixes
    .flatMap((edits, fix) => edits.map((edit) => ({ edit, fix })))
    .toSorted((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
  const dropped = new Set<number>();
  let [end, owner] = [-1, -1];
  for (const { edit, fix } of all) {
    if (dropped.has(fix)) continue;
    if (edit.start < end || (edit.start === end && edit.start === edit.end)) {
      // The fix that comes first in the text stays, unless both are its own.
      if (fix !== owner) dropped.add(fix);
      continue;
    }
    [end, owner] = [edit.end, fix];
  }
  const edits = all.filter(({ fix }) => !dropped.has(fix)).map(({ edit }) => edit);
  return { edits, used: fixes.filter((fix, index) => fix.length > 0 && !dropped.has(index)).length };
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, text: replacement } of edits) {
    if (start < done) continue;
    pieces.push(text.slice(done, start), replacement);
    done = end;
  }
  return [...pieces, text.slice(done)].join('');
}

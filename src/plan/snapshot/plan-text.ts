import { rootOf } from '../plan.js';
import type { Plan } from '../plan.js';
import { planFileGoal, planFileHeader, stringifyPlanFile } from './plan-file.js';
import type { LogPosition } from '../schema.js';
import { subtree } from '../tree.js';

/** Goals that are written at once: so many that it is quick, and so few that their text is soon garbage. */
const GOALS_A_PIECE = 60;

const END = '\n}\n';
const BEFORE_GOALS = '{\n  "goals": {\n    ';
const AFTER_GOALS = '\n  }\n}\n';

/**
 * The text that `stringifyPlanFile(toPlanFile(plan, log))` is as a whole, in pieces and without its last brace
 * and what is around that, so that a member can follow. A large plan is written much faster so, since no text
 * of megabytes is made, and with less memory.
 */
export function* planFilePieces(plan: Plan, log?: LogPosition): Generator<string, void, undefined> {
  yield stringifyPlanFile(planFileHeader(plan, log)).slice(0, -END.length);
  const goals = subtree(plan, rootOf(plan));
  for (let start = 0; start < goals.length; start += GOALS_A_PIECE) {
    const piece = goals
      .slice(start, start + GOALS_A_PIECE)
      .map((goal) => [goal.id, planFileGoal(goal)] as const);
    const text = stringifyPlanFile({ goals: Object.fromEntries(piece) });
    yield start === 0 ? ',\n  "goals": {\n    ' : ',\n    ';
    yield text.slice(BEFORE_GOALS.length, -AFTER_GOALS.length);
  }
  yield '\n  }';
}

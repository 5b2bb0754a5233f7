import type { Check } from '../../actions/model/action-plan.js';
import type { RunSteps } from '../model/steps/run-step.js';
import { referencesOfRunStep } from '../model/steps/step-references.js';
import type { Toolbox } from '../model/tool.js';

/** A condition that could never tell anything, and the step that has it. */
interface ConditionProblem {
  readonly step: string | null;
  readonly message: string;
}

/** Conditions whose arguments are known and wrong, such as a pattern that is none: found out before anything runs. */
export function conditionProblems({ root, all, dialect }: RunSteps, { conditions }: Toolbox) {
  const problems: ConditionProblem[] = [];
  const look = (checks: readonly Check[] = [], step: string | null, isKnown: (index: number) => boolean) => {
    for (const [index, { type, args }] of checks.entries()) {
      const problem = isKnown(index) ? (conditions.get(type)?.problem?.(args) ?? null) : null;
      if (problem !== null) problems.push({ step, message: `${type} can never hold: ${problem}` });
    }
  };
  look(root.plan.preconditions, null, () => true);
  for (const step of all) {
    const { raw, id } = step;
    const referring = [...referencesOfRunStep(step, dialect)].map(({ pointer }) => pointer);
    const isKnown = (part: string) => (index: number) =>
      referring.every((pointer) => !pointer.startsWith(`/${part}/${index}/`));
    look(raw.preconditions, id, isKnown('preconditions'));
    look(raw.verifications, id, isKnown('verifications'));
    look(raw.plan?.preconditions, id, () => true);
  }
  return problems;
}

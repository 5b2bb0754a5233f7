import type { RunStep, RunSteps } from '../../model/steps/run-step.js';
import { stepsAround } from '../../model/steps/run-step.js';
import { referencesOfRunStep, stepReferenceTarget } from '../../model/steps/step-references.js';
import type { RunTarget } from '../../model/steps/step-references.js';
import { unreachableIn } from '../../../actions/model/unreachable.js';
import type { PrepareProblem } from './prepare-problem.js';
import type { ToolsOfRun } from '../tools-wanted.js';

/** References to members that the outputs of their tools can never have, as far as these are known: found before anything runs. */
export function unreachableReferences(
  steps: RunSteps,
  { toolbox }: Pick<ToolsOfRun, 'toolbox'>,
): readonly PrepareProblem[] {
  return steps.all.flatMap((from) =>
    [...referencesOfRunStep(from, steps.dialect)].flatMap(({ reference }) => {
      const target = stepReferenceTarget(reference, from, steps);
      if (target === null || target === undefined) return [];
      const tool = toolbox.tools.get(target.step.raw.tool);
      const path = pathInOutput(target, from);
      const found = path === null ? null : unreachableIn(tool?.outputSchema, path);
      if (found === null) return [];
      const there =
        found.there.length === 0 ? '' : `; what ${target.step.raw.tool} brings has ${found.there.join(', ')}`;
      const message = `${reference.text} can never be: there is no ${JSON.stringify(found.key)} in what it names${there}`;
      return [{ rule: 'UNREACHABLE_REFERENCE', message, step: from.id }];
    }),
  );
}

/** The path of a reference within what one call brings; null where it is no call alone that brings it. */
function pathInOutput({ step, path }: RunTarget, from: RunStep): readonly string[] | null {
  if (step.nested !== null || step.fallback !== null) return null;
  if (step.raw.foreach === undefined || step === from) return path;
  return [...stepsAround(from)].includes(step) ? null : path.slice(1);
}

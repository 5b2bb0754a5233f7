import { readMethods } from '../../rules/read-methods.js';
import type { StepSource } from '../draft/step-source.js';

/** The steps that the built-in rules know. */
export const stepsOfRules: StepSource = {
  async ofRequest(context, request, emit) {
    const { requestSteps } = await import('../../rules/steps-by-rules.js');
    return requestSteps(request, await readMethods(context, emit));
  },
  async ofGoal(context, { description, above }, emit) {
    const { stepsByRules } = await import('../../rules/steps-by-rules.js');
    return stepsByRules(description, above, await readMethods(context, emit));
  },
};

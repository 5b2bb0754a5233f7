import type { RunStep } from '../model/steps/run-step.js';
import type { Iteration } from '../model/values/resolve.js';

/** A step instance: a step, for one item of each foreach around it. */
export interface StepInstance {
  readonly step: RunStep;
  readonly name: string;
  readonly iteration: Iteration;
}

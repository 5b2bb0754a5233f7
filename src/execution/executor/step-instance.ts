import type { RunStep } from '../steps/run-step.js';
import type { Iteration } from '../values/resolve.js';

/** A step instance: a step, for one item of each foreach around it. */
export interface StepInstance {
  readonly step: RunStep;
  readonly name: string;
  readonly iteration: Iteration;
}

import type { RunStep } from '../steps/run-step.js';
import type { Place } from '../values/resolve.js';

/** A step at a place. */
export interface AtPlace {
  readonly step: RunStep;
  readonly name: string;
  readonly place: Place;
}

import type { RunStep } from './run-step.js';

/** Which item of each foreach around a step it is carried out for. */
export type Indices = ReadonlyMap<RunStep, number>;

/**
 * The name of a step instance: `note`, `note[3]` (the fourth item of its foreach), `note/fallback/ask`, `sub/plan/a`.
 * What has a meaning in names is percent-encoded in ids, so that no two places are of one name.
 */
export function instanceName(step: RunStep, indices: Indices): string {
  const { parent } = step;
  const above = parent === null ? '' : `${instanceName(parent.of, indices)}/${parent.part}/`;
  const index = indices.get(step);
  return `${above}${encodedId(step.id)}${index === undefined ? '' : `[${index}]`}`;
}

/** The name of an item of a foreach. */
export function itemName(name: string, index: number): string {
  return `${name}[${index}]`;
}

function encodedId(id: string): string {
  // Everything but what instance names are made of, and what a terminal or a path would read otherwise.
  return id.replaceAll(/[%/[\]\p{Cc}\p{Cf}\s]/gu, (character) => encodeURIComponent(character));
}

/** The scope of approvals of the run as a whole. */
export const RUN_SCOPE = 'run';

/** The scope of approvals of a step: its name, unless that is the scope of the whole run. */
export function scopeOfStep(name: string): string {
  return name === RUN_SCOPE ? `/${name}` : name;
}

/** The step of a scope, which is named as an instance. */
export function stepOfScope(scope: string): string {
  return scope.replace(/^\//, '');
}

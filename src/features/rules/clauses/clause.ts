import { asGoal } from '../../../planning/documents/english/phrase.js';

/** One part of a goal that was split. */
export interface Clause {
  readonly description: string;
  /** Numbers of earlier parts, counted from 1, that come first. */
  readonly dependsOn: readonly number[];
}

/** A clause as a part of a goal. */
export function clause(text: string, dependsOn: readonly number[] = []): Clause {
  return { description: asGoal(text), dependsOn };
}

/** `step` after or beside `before`; after means that its first parts wait for the last ones before it. */
export function appendClauses(
  before: readonly Clause[],
  step: readonly Clause[],
  order: 'after' | 'beside',
): readonly Clause[] {
  const awaited = new Set(before.flatMap(({ dependsOn }) => dependsOn));
  const last = before.map((_, index) => index + 1).filter((number) => !awaited.has(number));
  const numbered = step.map(({ description, dependsOn }) => ({
    description,
    dependsOn:
      dependsOn.length === 0 && order === 'after' ? last : dependsOn.map((number) => number + before.length),
  }));
  return [...before, ...numbered];
}

import { dialectOf } from '../../model/dialects.js';
import type { JsonNode } from '../../../../kernel/json/json-scanner.js';
import { referencesOf } from '../../model/references.js';
import type { Subject } from '../subject.js';
import type { FoundSecret } from './secrets.js';

/**
 * Tells which secrets of a string or number may be mended: those in arguments, where references are put in, of a dialect
 * that has them. Never within a reference, and never an id, a tool's name, a goal or any other text, for there nothing
 * would be put in again.
 */
export function fixablePlaces({ read, nodeAt, scopes }: Subject) {
  const syntax = dialectOf(read.dialect).references;
  const pointers = scopes.flatMap(({ steps, plan, pointer: scope }) => [
    ...(plan.preconditions ?? []).map((_, index) => `${scope}/preconditions/${index}/args`),
    ...steps.flatMap(({ step, pointer }) => [
      `${pointer}/args`,
      ...(['preconditions', 'verifications'] as const).flatMap((part) =>
        (step[part] ?? []).map((_, index) => `${pointer}/${part}/${index}/args`),
      ),
    ]),
  ]);
  let isArgument: ((node: JsonNode) => boolean) | undefined;
  return (node: JsonNode): ((secret: FoundSecret) => boolean) => {
    isArgument ??= isWithinOne(pointers.flatMap((region) => nodeAt(region) ?? []));
    if (!syntax.dollarBraces || !isArgument(node)) return () => false;
    if (node.kind !== 'string') return () => true;
    const isInReference = overlapsOne(referencesOf(node.value, { syntax }));
    return (secret) => !isInReference(secret);
  };
}

type Stretch = Pick<FoundSecret, 'start' | 'end'>;

/** Whether a stretch lies within one of others, which may lie in each other. */
function isWithinOne(others: readonly Stretch[]): (stretch: Stretch) => boolean {
  const sorted = others.toSorted((a, b) => a.start - b.start);
  let farthest = -1;
  const ends = sorted.map(({ end }) => (farthest = Math.max(farthest, end)));
  return ({ start, end }) => (ends[firstIndex(sorted, (one) => one.start > start) - 1] ?? -1) >= end;
}

/** Whether a stretch shares text with one of others, which stand one behind the other. */
function overlapsOne(others: readonly Stretch[]): (stretch: Stretch) => boolean {
  return ({ start, end }) => {
    const next = others[firstIndex(others, (one) => one.end > start)];
    return next !== undefined && next.start < end;
  };
}

/** Index of the first for which a condition holds that then holds for all behind it. */
function firstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item === undefined || holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

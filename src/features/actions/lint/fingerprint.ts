import { sha256 } from '../../../kernel/sha256.js';
import type { Finding, Observation } from './finding.js';
import type { LocatedStep } from './step-locator.js';

/**
 * The mark by which a finding is known again when lines move, steps change places and messages are worded anew: made of
 * its rule, step, place within the step, and what it is about. Numbers count: an amount that grew is another finding. It
 * shows nothing of a secret.
 * @param step the innermost step around it; null where there is none
 */
export function fingerprintOf(
  rule: Finding['rule'],
  { about, region }: Pick<Observation, 'about' | 'region'>,
  step: LocatedStep | null,
): string {
  return markOf([2, rule, step?.id ?? null, withinStep(region.pointer, step), ...about]);
}

/** The mark that the first version of baselines has: of the message, without the lines that it names. */
export function firstFingerprintOf({ rule, step, pointer, message }: Finding): string {
  const said = message.replaceAll(/\bline \d+\b|(?<=:)\d+:\d+(?=:)/g, '#');
  return markOf([rule, step, step === null ? pointer : pointer.replace(UP_TO_STEP, ''), said]);
}

/** A pointer up to the last member of a list of steps. */
const UP_TO_STEP = /^.*\/steps\/\d+/;

/** The arguments of a step may have a member `steps` too, so it is the step's own pointer that is shortened. */
function withinStep(pointer: string, step: LocatedStep | null): string {
  if (step === null) return pointer;
  const isBelow = `${pointer}/`.startsWith(`${step.pointer}/`);
  if (!isBelow) return pointer.replace(UP_TO_STEP, '');
  return `${step.pointer.replace(UP_TO_STEP, '')}${pointer.slice(step.pointer.length)}`;
}

function markOf(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

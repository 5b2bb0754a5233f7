import { sha256 } from '../../kernel/sha256.js';
import type { Finding, Observation } from './finding.js';

/**
 * The mark by which a finding is known again when lines move, steps change places and messages are worded anew: made of
 * its rule, step, place within the step, and what it is about. Numbers count: an amount that grew is another finding. It
 * shows nothing of a secret.
 */
export function fingerprintOf(
  { rule, step, pointer }: Pick<Finding, 'rule' | 'step' | 'pointer'>,
  { about }: Pick<Observation, 'about'>,
): string {
  return markOf([2, rule, step, withinStep(step, pointer), ...about]);
}

/** The mark that the first version of baselines has: of the message, without the lines that it names. */
export function firstFingerprintOf({ rule, step, pointer, message }: Finding): string {
  const said = message.replaceAll(/\bline \d+\b|(?<=:)\d+:\d+(?=:)/g, '#');
  return markOf([rule, step, withinStep(step, pointer), said]);
}

function withinStep(step: string | null, pointer: string): string {
  return step === null ? pointer : pointer.replace(/^.*\/steps\/\d+/, '');
}

function markOf(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

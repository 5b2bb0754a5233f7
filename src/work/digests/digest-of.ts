import type { Result } from '../../plan/events/result.js';
import type { CountTokens } from './candidates.js';
import { sourceOfDigests, sourceOfResult } from './digest-source.js';
import type { DigestContent } from './digest-source.js';
import { extractDigest } from './extract-digest.js';
import type { MeasuredDigest } from './extract-digest.js';

/** The digest, made without a model, of what was submitted with a finished goal; null when nothing was. */
export async function digestOfResult(
  result: Result | undefined,
  countTokens: CountTokens,
): Promise<MeasuredDigest | null> {
  const source = sourceOfResult(result);
  return source === null ? null : extractDigest(source, countTokens);
}

/** The digest, made without a model, of a goal whose children have these, in their order. */
export async function digestOfDigests(
  digests: readonly DigestContent[],
  countTokens: CountTokens,
): Promise<MeasuredDigest> {
  return extractDigest(sourceOfDigests(digests), countTokens);
}

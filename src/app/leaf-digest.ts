import type { Result } from '../plan/events.js';
import type { Digest } from '../plan/schema.js';

/** Longest summary that is taken from a text, in words. */
const MOST_WORDS = 60;

/** The digest of a leaf: what was submitted, as it was submitted; undefined when nothing was. */
export function leafDigest(result: Result | undefined): Digest | undefined {
  if (result === undefined) return undefined;
  const { summary, decisions = [], artifacts = [], text = '', commits = [] } = result;
  const told = summary ?? (text === '' ? commits.map(({ subject }) => subject).join('; ') : text);
  const words = told.trim().split(/\s+/);
  const short =
    summary === undefined && words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS).join(' ')}…` : told;
  return { summary: short.trim(), key_decisions: decisions, artifacts };
}

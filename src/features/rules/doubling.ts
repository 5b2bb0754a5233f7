import { contentStems } from '../../kernel/text/content-stems.js';
import { normalPhrase } from './clauses/goal-words.js';
import { readDoing } from './clauses/made-thing.js';
import type { Division } from './division.js';

/** Words that say the same. */
const SAME = new Map([
  ['photo', 'pictur'],
  ['photograph', 'pictur'],
  ['imag', 'pictur'],
]);
const TO_PUBLISH = /\b(?:publish|release|submit|put)\b/i;

/** Whether a step of a division does what another part of the same goal names: "Take pictures and write texts" and "Take good photos". */
export function repeats(division: Division | null, part: string, others: readonly string[]): boolean {
  const own = new Set(stemsOf(part));
  const wanted = others
    .map((other) => stemsOf(readDoing(other).thing))
    .filter((stems) => stems.length > 0 && !stems.some((stem) => own.has(stem)));
  const steps = (division?.subGoals ?? []).map(({ description }) => new Set(stemsOf(description)));
  const found = wanted.filter((stems) => steps.some((step) => stems.every((stem) => step.has(stem))));
  return found.flat().length > 1;
}

/** A division that ends with what the last part of a goal asks for, in the words of that part; null when it does not. */
export function withPublishing(division: Division | null, part: string): Division | null {
  const last = division?.subGoals.at(-1);
  if (division === null || last === undefined || !TO_PUBLISH.test(firstWord(part))) return null;
  if (!TO_PUBLISH.test(last.description)) return null;
  const isSame = TO_PUBLISH.test(firstWord(last.description));
  const said = isSame ? last.description : `As asked: “${part}”`;
  const acceptance = [...(last.acceptance ?? []), said];
  const ending = { ...last, acceptance, description: isSame ? part : last.description };
  return { ...division, subGoals: [...division.subGoals.slice(0, -1), ending] };
}

function firstWord(text: string): string {
  return /^\S+/.exec(text)?.[0] ?? '';
}

function stemsOf(text: string): readonly string[] {
  return [...contentStems(normalPhrase(text).join(' '))].map((stem) => SAME.get(stem) ?? stem);
}

import { contentStems } from '../../kernel/text/content-stems.js';
import { normalPhrase } from './clauses/goal-words.js';
import { readDoing } from './clauses/made-thing.js';
import type { Division, Planned } from './division.js';

/** Words that say the same. */
const SAME = new Map([
  ['photo', 'pictur'],
  ['photograph', 'pictur'],
  ['imag', 'pictur'],
]);
const TO_PUBLISH = /\b(?:publish|release|submit|put|host)\b/i;

/** Whether a step of the division of a part does what another part of the same goal names: "Take pictures" and "Take good photos". */
export function repeats(division: Division | null, parts: readonly string[], index: number): boolean {
  const own = new Set(stemsOf(parts[index] ?? ''));
  const doubled = parts.flatMap((other, at) => {
    const { thing } = readDoing(other);
    const isOther = !stemsOf(thing).some((stem) => own.has(stem));
    return isOther && isNamedIn(division?.subGoals ?? [], thing) ? [{ thing, at }] : [];
  });
  // Tests that come first are not written again.
  return (
    doubled.flatMap(({ thing }) => stemsOf(thing)).length > 1 ||
    doubled.some(({ thing, at }) => at < index && stemsOf(thing).join(' ') === 'test')
  );
}

/**
 * Whether the method of a part is that of another part about the same thing, "Record three songs" and "Release three songs",
 * or gives the steps that it gives the other, word for word.
 */
export function isSameWork(
  divisions: readonly (Division | null)[],
  parts: readonly string[],
  index: number,
): boolean {
  const thingOf = (at: number): string => stemsOf(readDoing(parts[at] ?? '').thing).join(' ');
  const own = divisions[index];
  return divisions.some(
    (other, at) =>
      at !== index &&
      own?.method != null &&
      other?.method === own.method &&
      (thingOf(at) === thingOf(index) || stepsOf(other) === stepsOf(own)),
  );
}

/** Whether one of some steps names a thing, all words of it. */
export function isNamedIn(steps: readonly Planned[], thing: string): boolean {
  const stems = stemsOf(thing);
  const has = ({ description }: Planned): boolean => {
    const said = new Set(stemsOf(description));
    return stems.every((stem) => said.has(stem));
  };
  return stems.length > 0 && steps.some(has);
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

function stepsOf(division: Division | null | undefined): string {
  return (division?.subGoals ?? []).map(({ description }) => description).join('\n');
}

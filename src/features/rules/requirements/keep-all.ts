import { contentStems } from '../../../kernel/text/content-stems.js';
import { normalPhrase } from '../clauses/goal-words.js';
import { isImperative, phraseOf } from '../../../planning/documents/english/phrase.js';
import type { Planned } from '../division.js';
import { isCircumstance, isExclusion } from './conditions.js';

/**
 * Returns sub-goals that hold all that their goal asks for: of what none of them names, the conditions or else all of the
 * goal, word for word, must hold for the last one; how things are is to be borne in mind from the first one on.
 *
 * @param goal without its conditions
 * @param known words by which the goal was recognised; no sub-goal need name them
 * @param whole the goal with its conditions, as it was said
 */
export function keepAll(
  goal: string,
  conditions: readonly string[],
  known: readonly string[],
  subGoals: readonly Planned[],
  whole = goal,
): readonly Planned[] {
  const said = new Set(
    subGoals.flatMap(({ description }) => [...stemsOf(description), ...wordsOf(description)]),
  );
  const lostConditions = conditions.filter(
    (words) => isExclusion(words) || !subGoals.some(({ description }) => isNamed(words, description)),
  );
  const recognised = new Set(known.flatMap((words) => [...stemsOf(words), ...normalPhrase(words)]));
  const isLost =
    stemsOf(goal).some((stem) => !said.has(stem) && !recognised.has(stem)) ||
    wordsOf(goal).some(
      (word) => !said.has(word) && !normalPhrase(word).every((normal) => recognised.has(normal)),
    );
  const isSo = lostConditions.filter(isCircumstance).map((words) => `To bear in mind: ${words}`);
  const conditionsAsked = lostConditions.filter((words) => !isCircumstance(words));
  const isOver = isLost && conditionsAsked.length === 0 && isComplaint(goal);
  // A goal is quoted whole: without its conditions it may not say what it said.
  const asked = isOver
    ? [`No longer so: “${goal}”`]
    : (isLost ? [`“${whole}”`] : conditionsAsked).map((words) => `As asked: ${words}`);
  return subGoals.map((subGoal, index) => {
    const told = [...(index === 0 ? isSo : []), ...(index === subGoals.length - 1 ? asked : [])];
    return told.length === 0 ? subGoal : { ...subGoal, acceptance: [...(subGoal.acceptance ?? []), ...told] };
  });
}

/** The words of a goal that carry meaning, stand in no sub-goal and were not those by which it was recognised; numbers are none. */
export function lostWords(
  goal: string,
  known: readonly string[],
  subGoals: readonly Planned[],
): readonly string[] {
  const said = new Set([...known, ...subGoals.map(({ description }) => description)].flatMap(stemsOf));
  return [...new Set(stemsOf(goal))].filter((stem) => /^\p{L}{2}/u.test(stem) && !said.has(stem));
}

/** Whether a text names a condition: “two weeks” of “in two weeks” word for word; “a week later” does not. */
function isNamed(condition: string, text: string): boolean {
  const [, ...words] = wordsAlone(condition);
  return ` ${wordsAlone(text).join(' ')} `.includes(` ${words.join(' ')} `);
}

const wordsAlone = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a goal says what is wrong, as “CI takes 45 minutes” does, and not what is to be done. */
function isComplaint(goal: string): boolean {
  const said = /^[^,;.]*/.exec(goal)?.[0] ?? '';
  return (
    !isImperative(phraseOf(said)) &&
    /(?<!\s(?:the|our|its|that|which))\s(?:is|are|takes?|costs?|fails?|keeps?|gets?|breaks?|crashes)\s/i.test(
      `${said} `,
    )
  );
}

/** Stems of the words that carry meaning; a capital letter alone is a name: "A, B and C". */
function stemsOf(text: string): readonly string[] {
  const letters = text.match(/(?<![\p{L}\p{N}'’.-])\p{Lu}(?![\p{L}\p{N}'’-]|\s+\p{Ll})/gu) ?? [];
  return [...contentStems(normalPhrase(text).join(' ')), ...letters];
}

/** The words that carry meaning in the form in which they stand: "map the tables" does not name the maps of a list. */
function wordsOf(text: string): readonly string[] {
  return wordsAlone(text).filter((word) => contentStems(word).length > 0);
}

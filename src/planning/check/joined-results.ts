import { plainText } from './finding.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';

/** Verbs that are no nouns; what follows one is what it makes. */
const VERBS = new Set(
  (
    'write create add build implement configure install define choose buy send publish migrate remove hire invite ' +
    'collect connect deploy develop prepare produce convert import export download upload compile translate ' +
    'document announce register negotiate recruit decorate assemble generate delete rename replace introduce ' +
    'refactor instrument enable disable integrate provision train cancel tell inform notify ask obtain gather pay ' +
    'sell repair verify validate'
  ).split(' '),
);
/** Verbs that are nouns as well: only before an article are they verbs for certain. */
const NOUNS_TOO = new Set(
  (
    'set test design release review report plan order record draft print support map list schedule book update ' +
    'run ship host sign film edit cut paint mount measure survey rent archive switch turn move'
  ).split(' '),
);
const ARTICLE = /^(?:the|a|an|up|all|each|every|its|their|our|two|three|four|five|\d+)$/u;
/** A small goal with so many results is several. */
const RESULTS = 3;

/** Finds goals of the smallest size that join three results. */
export function joinedResults({ leaves, named, numberOf }: CheckedPlan): readonly JudgementFinding[] {
  return leaves
    .filter(({ size, description }) => size === 'S' && resultsIn(description) >= RESULTS)
    .map((leaf) => ({
      code: 'JOINED_RESULTS',
      goal: leaf.id,
      goals: [],
      message: `${named(leaf)} is of size S and joins ${resultsIn(leaf.description)} results`,
      hint: `Divide it, or say that it is larger: plan split ${numberOf(leaf)}, plan add "…" --under ${numberOf(leaf)}`,
    }));
}

/** Counts the parts of a sentence that each have a verb and what it is about. */
function resultsIn(description: string): number {
  const verbs = plainText(description)
    .split(/[,;]|\band\b|\bthen\b/u)
    .map((part) => part.trim().split(' '))
    .filter(([verb = '', next]) => {
      if (next === undefined) return false;
      return VERBS.has(verb) || (NOUNS_TOO.has(verb) && ARTICLE.test(next));
    })
    .map(([verb]) => verb);
  return new Set(verbs).size;
}

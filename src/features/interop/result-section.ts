import { joinSections, sectionText, splitSections } from '../../kernel/text/sections.js';
import type { Goal } from '../../plan/schema.js';

/** The heading in a detail below which stands what a tool says came of a task that is open here. */
export const RESULT_IN = 'Final Summary';

/** Puts what came of a task below its text. */
export function withResult(text: string, result: string): string {
  if (result.trim() === '') return text;
  return joinSections([
    { name: null, text },
    { name: RESULT_IN, text: result },
  ]);
}

/**
 * Returns what came of a goal here, beside what its detail says of that. A goal that came as done, with its own result, keeps that:
 * what came of its parts since is none of it.
 */
function resultHere({ status, digest, said_done, child_ids, detail = '' }: Goal): string {
  if (status !== 'complete' || digest === null) return '';
  const isOfParts = said_done === true && child_ids.length > 0;
  return isOfParts && partsOf(detail).results.length > 0 ? '' : digest.summary;
}

/** Returns all that came of a goal. @param sections of its detail */
export function resultOf(goal: Goal, sections: ReturnType<typeof splitSections>): string {
  return [sectionText(sections, RESULT_IN), resultHere(goal)].filter((text) => text !== '').join('\n\n');
}

/** Returns a text with all that it says of a result at its end: texts are compared so, wherever in them that stands. */
export function resultLast(text: string): string {
  const { others, results } = partsOf(text);
  return results.length === 0 ? text : withResult(others.join('\n\n'), results.join('\n\n'));
}

/** Returns the detail of a goal with all that came of it at its end. */
export function detailWithResult(goal: Goal): string {
  return resultLast(withResult(goal.detail ?? '', resultHere(goal)));
}

/** Returns the detail of a goal, and apart from it all that came of the goal. */
export function detailAndResult(goal: Goal): { readonly detail: string; readonly result: string } {
  const { others, results } = partsOf(withResult(goal.detail ?? '', resultHere(goal)));
  return { detail: others.join('\n\n'), result: results.join('\n\n') };
}

/** Whether a part of a text is that of a result. */
function isResult(part: string): boolean {
  return part.startsWith('## ') && headingOf(part) === RESULT_IN;
}

/** The parts of a text under each second-level heading: what they say of a result, and all others as they are. */
function partsOf(text: string): { readonly others: readonly string[]; readonly results: readonly string[] } {
  const parts = text.split(/^(?=## )/m);
  return {
    others: parts.filter((part) => !isResult(part)).map((part) => part.trim()),
    results: parts
      .filter(isResult)
      .map((part) => part.slice(part.split('\n', 1)[0]?.length).trim())
      .filter((part) => part !== ''),
  };
}

function headingOf(part: string): string {
  return (part.split('\n', 1)[0] ?? '').slice('## '.length).trim();
}

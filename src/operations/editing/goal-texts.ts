import { PlanError } from '../../kernel/errors.js';
import type { Hint } from '../../kernel/hint.js';
import { parsePriority, PRIORITIES } from '../../plan/readiness/priorities.js';
import { inQuotes } from '../../plan/goal-in-words.js';
import { quantityOf } from '../../kernel/text/quantity-of.js';

/** The most characters that each text of a goal may have. */
const MOST = {
  description: 10_000,
  detail: 200_000,
  acceptance: 2000,
  tag: 100,
  reason: 10_000,
  matter: 200,
  choice: 1000,
} as const;
/** The most criteria, or tags, of one goal. */
const MOST_ENTRIES = 100;

/**
 * A text of a goal as somebody gave it, without space around it.
 * @throws PlanError INVALID_INPUT when it is empty or too long
 */
export function givenText(name: keyof typeof MOST, text: string): string {
  const given = text.trim();
  const most = MOST[name];
  if (given !== '' && given.length <= most) return given;
  const wrong =
    given === '' ? 'is empty' : `has ${quantityOf(given.length, 'character')}; at most ${most} are taken`;
  throw new PlanError('INVALID_INPUT', `the ${name} ${wrong}`, {
    hint: given === '' ? hintForEmpty(name) : hintForLong(name),
    details: { field: name, most },
  });
}

function hintForEmpty(name: keyof typeof MOST): Hint {
  if (name === 'description')
    return ['Say what is to be done in a few words; they are what the goal is called.'];
  return ['Give some text, or leave it out.'];
}

function hintForLong(name: keyof typeof MOST): Hint {
  if (name === 'detail') return ['Give a shorter text, and put the rest into a file that it names.'];
  return [{ commandLine: 'Put longer text into --detail.', tools: 'Give a shorter text.' }];
}

/**
 * A text of a goal that may be left out, without space around it.
 * @throws PlanError INVALID_INPUT when it is empty or too long
 */
export function optionalText(name: keyof typeof MOST, text: string | undefined): string | undefined {
  return text === undefined ? undefined : givenText(name, text);
}

/** A list of texts of a goal, none when it was left out. @throws PlanError INVALID_INPUT */
export function givenTexts(
  name: 'acceptance' | 'tag' | 'description',
  texts: readonly string[] | undefined,
): string[] | undefined {
  if (texts === undefined || texts.length === 0) return undefined;
  if (texts.length > MOST_ENTRIES)
    throw new PlanError(
      'INVALID_INPUT',
      `${texts.length} of ${name} are too many; ${MOST_ENTRIES} are taken`,
    );
  const given = texts.map((text) => givenText(name, text));
  const twice = given.find((text, index) => given.indexOf(text) < index);
  // Two goals of the same words are one too few, which is not for a program to decide.
  if (name === 'description' && twice !== undefined)
    throw new PlanError('INVALID_INPUT', `${inQuotes(twice)} is given twice`, {
      hint: ['Each sub-goal needs words of its own.'],
      details: { field: name },
    });
  return [...new Set(given)];
}

/** A priority as somebody gave it, by name or number; none when it was left out. @throws PlanError INVALID_INPUT */
export function givenPriority(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const priority = parsePriority(text);
  if (priority !== null) return priority;
  throw new PlanError('INVALID_INPUT', `${inQuotes(text)} is not a priority`, {
    hint: [`Give one of ${PRIORITIES.join(', ')}, or 0 to 4.`],
  });
}

/**
 * Checks the text that says why a goal is changed as texts of goals are: `{ because }`, or nothing.
 * @throws PlanError INVALID_INPUT
 */
export function givenReason(because: string | undefined): { readonly because?: string } {
  return because === undefined ? {} : { because: givenText('reason', because) };
}

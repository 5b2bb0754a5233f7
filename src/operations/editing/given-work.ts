import { PlanError } from '../../kernel/errors.js';
import { inQuotes } from '../../plan/goal-in-words.js';
import type { GoalCheck } from '../../plan/goal-work-schema.js';
import { readTouch } from '../../plan/readiness/touches.js';
import { truncate } from '../../kernel/text/truncate.js';

const MOST_TOUCHES = 100;
const MOST_CHECKS = 20;
/** A name of a tool, then `name=value`, where a value may stand in quotes. */
const WORD = /[^\s"=]+=(?:"[^"]*"|\S*)|\S+/g;

/**
 * Returns what a goal is likely to change as somebody gave it, without repetitions; undefined where it was left out.
 * @throws PlanError INVALID_INPUT for what leaves the repository, and for more than 100 entries
 */
export function givenTouches(texts: readonly string[] | undefined): string[] | undefined {
  if (texts === undefined || texts.length === 0) return undefined;
  if (texts.length > MOST_TOUCHES)
    throw invalid(`${texts.length} paths are too many; at most ${MOST_TOUCHES}`);
  return [...new Set(texts.map(givenTouch))];
}

function givenTouch(text: string): string {
  const touch = readTouch(text);
  if (touch === null)
    throw invalid(`${inQuotes(truncate(text, 100))} is not a path below the repository`, [
      'Give a path relative to the repository of at most 300 characters, a glob, or area:NAME.',
    ]);
  return touch;
}

/**
 * Returns the checks of a goal as somebody gave them: `tool name=value …`; undefined where they were left out.
 * @throws PlanError INVALID_INPUT
 */
export function givenChecks(texts: readonly string[] | undefined): GoalCheck[] | undefined {
  if (texts === undefined || texts.length === 0) return undefined;
  if (texts.length > MOST_CHECKS)
    throw invalid(`${texts.length} checks are too many; at most ${MOST_CHECKS}`);
  return texts.map(givenCheck);
}

function givenCheck(text: string): GoalCheck {
  const [tool = '', ...rest] = text.match(WORD) ?? [];
  const isTool = /^[A-Za-z0-9_.-]{1,100}$/.test(tool);
  const pairs = rest.map((word) => /^([A-Za-z_][\w-]*)=([^]*)$/.exec(word));
  if (!isTool || pairs.includes(null) || text.length > 2000)
    throw invalid(`${inQuotes(text)} is not a check`, [
      'Give the name of a tool, then its arguments: "test.file path=test/a.ts".',
    ]);
  const args = pairs.map((pair) => [pair?.[1] ?? '', argument(pair?.[2] ?? '')] as const);
  return { tool, args: Object.fromEntries(args) };
}

/** A value without the quotes around it. */
function argument(text: string): string {
  return /^"[^]*"$/.test(text) ? text.slice(1, -1) : text;
}

/** Returns a check as `--check` takes it. */
export function checkInWords({ tool, args }: GoalCheck): string {
  const pairs = Object.entries(args).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${name}=${/\s/.test(text) ? `"${text}"` : text}`;
  });
  return [tool, ...pairs].join(' ');
}

function invalid(message: string, hint: readonly string[] = []): PlanError {
  return new PlanError('INVALID_INPUT', message, hint.length === 0 ? {} : { hint: [...hint] });
}

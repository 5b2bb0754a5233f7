import { RefusedCall } from '../../runs/runners/outcomes.js';
import type { PaneRules } from './rules.js';
import type { PaneScreen } from './terminal.js';

/** What an expression can ask of a pane. */
const FIELDS: Readonly<Record<string, (screen: PaneScreen, rules: PaneRules) => string | boolean | null>> = {
  alt_screen: ({ state }) => state.altScreen,
  prompt_active: ({ state, line }, rules) => state.altScreen !== true && rules.isPrompt(line),
  command_running: ({ state, line }, rules) => state.altScreen === true || !rules.isPrompt(line),
  dead: ({ state }) => state.isDead,
  in_mode: ({ state }) => state.obstacle?.code === 'PANE_IN_MODE',
  command: ({ state }) => state.command,
  cwd: ({ state }) => state.cwd,
  title: ({ state }) => state.title,
  last_line: ({ line }) => line.trim(),
};

/** A part of an expression: what a field of a pane must be. */
export interface ExpressionTerm {
  /** Null where it names none. */
  readonly pane: number | null;
  readonly field: string;
  readonly wanted: string | boolean;
  readonly isNegated: boolean;
}

const TERM = /^(!?)\s*(?:pane\((\d{1,9})\)\.)?(\w+)\s*(?:(==|!=)(.*))?$/;

/**
 * Reads terms such as `pane(3).command == sh` and `!pane(3).alt_screen` with `&&` between them.
 * @throws RefusedCall VALIDATION_ERROR naming the term that is none
 */
export function readExpression(expression: string): readonly ExpressionTerm[] {
  return expression.split('&&').map((part) => {
    const [, not = '', pane, field = '', operator, value = ''] = TERM.exec(part.trim()) ?? [];
    if (!Object.hasOwn(FIELDS, field))
      throw new RefusedCall(
        'VALIDATION_ERROR',
        `${JSON.stringify(part.trim())} is not a term such as pane(3).command == sh; fields are ${Object.keys(FIELDS).join(', ')}`,
      );
    const isNegated = (not === '!') !== (operator === '!=');
    const wanted = operator === undefined ? true : wantedOf(value.trim());
    return { pane: pane === undefined ? null : Number(pane), field, wanted, isNegated };
  });
}

function wantedOf(value: string): string | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^(["']).*\1$/.test(value) ? value.substring(1, value.length - 1) : value;
}

/** Tells what a term comes to; what nobody can tell does not hold. */
export function holdsTerm(
  { field, wanted, isNegated }: ExpressionTerm,
  screen: PaneScreen,
  rules: PaneRules,
): boolean {
  const value = FIELDS[field]?.(screen, rules) ?? null;
  return value !== null && (value === wanted) !== isNegated;
}

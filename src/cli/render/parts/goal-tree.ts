import { oneLine } from '../../../kernel/text/safe-text.js';
import type { GoalWithNumber } from '../../../operations/shared/numbered-goals.js';
import type { Colors } from '../../terminal.js';
import { endText } from './times.js';
import { goalStateWord } from './status-words.js';

const DEEPEST_INDENT = 24;

/** Every goal with its status, size, reasoning, criteria, dependencies and claim, indented by depth. */
export function renderGoalTree(goals: readonly GoalWithNumber[], colors: Colors): string {
  const numbers = new Map(goals.map(({ id, number }) => [id, number === '' ? 'root' : number]));
  return goals.map((goal) => goalLines(goal, numbers, colors)).join('');
}

function goalLines(goal: GoalWithNumber, numbers: ReadonlyMap<string, string>, colors: Colors): string {
  const indent = '  '.repeat(Math.min(goal.depth, DEEPEST_INDENT));
  const after = goal.dependencies.map((id) => numbers.get(id) ?? id).join(', ');
  const notes = [
    goal.reasoning,
    ...(goal.acceptance ?? []).map((criterion) => `done when: ${criterion}`),
    after === '' ? null : `after ${after}`,
    goal.claim === undefined ? null : `claimed by ${goal.claim.by} until ${endText(goal.claim.expires_at)}`,
    goal.failure === undefined ? null : `failed: ${goal.failure.reason}`,
    goal.digest === null ? null : `done: ${goal.digest.summary}`,
  ].filter((note) => note !== null && note !== '');
  const head = `${indent}${goal.number === '' ? '' : `${goal.number} `}${oneLine(goal.description)} ${statusMark(goal, colors)}`;
  return `${[head, ...notes.map((note) => colors.dim(`${indent}    ${oneLine(note ?? '')}`))].join('\n')}\n`;
}

function statusMark(goal: GoalWithNumber, colors: Colors): string {
  const { status, size, child_ids } = goal;
  const word = goalStateWord(goal);
  const text = size === undefined || child_ids.length > 0 ? `[${word}]` : `[${word}, size ${oneLine(size)}]`;
  if (status === 'complete') return colors.green(text);
  if (status === 'failed') return colors.red(text);
  return status === 'pending' ? colors.yellow(text) : colors.dim(text);
}

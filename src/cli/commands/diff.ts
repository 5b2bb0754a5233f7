import { oneLine } from '../../app/front-end.js';
import type { ChangedGoal, DiffedGoal, PlanDiff } from '../../app/front-end.js';
import type { RunCommand } from '../command.js';
import type { Colors } from '../terminal.js';

/** As much of a value as a line has room for. */
const SHOWN = 100;

/** Shows what differs between two plans: goals that are new (`+`), gone (`-`) or changed (`~`). */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const diff = await workspace.diff(args[0] ?? '', args[1]);
  const { added, removed, changed } = diff;
  if (added.length + removed.length + changed.length === 0) terminal.error('No goal differs.\n');
  return { data: diff, text: renderDiff(diff, terminal.colors) };
};

function renderDiff({ added, removed, changed }: PlanDiff, colors: Colors): string {
  return [
    ...removed.map((goal) => colors.red(`- ${named(goal)}`)),
    ...added.map((goal) => colors.green(`+ ${named(goal)}`)),
    ...changed.flatMap((goal) => [colors.yellow(`~ ${named(goal)}`), ...fieldLines(goal, colors)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function named({ goal, number, description }: DiffedGoal): string {
  return `${number === '' ? 'root' : number}  ${oneLine(description)}  ${goal.slice(goal.indexOf('-') + 1)}`;
}

function fieldLines({ fields }: ChangedGoal, colors: Colors): readonly string[] {
  return Object.entries(fields).map(
    ([name, { from, to }]) => `    ${colors.dim(`${oneLine(name)}:`)} ${shown(from)} → ${shown(to)}`,
  );
}

function shown(value: unknown): string {
  if (value === null) return 'none';
  const whole = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
}

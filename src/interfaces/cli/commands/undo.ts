import { oneLine } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { counted } from '../render/numbers.js';
import { renderPlanned } from '../render/summary.js';

/** Takes back the last change of goals. */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const undone = await workspace.undo(args[0]);
  const { message, by, at } = undone.undone;
  const head = `Undid what ${oneLine(by)} did at ${oneLine(at)}: ${oneLine(message)}`;
  const text = `${head} (${counted(undone.goals.length, 'goal')}).\n${renderPlanned(undone.plan, terminal.colors)}`;
  return { data: undone, text };
};

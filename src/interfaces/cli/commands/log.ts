import { oneLine } from '../../../operations/front-end.js';
import type { LogEntry } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import type { Colors } from '../terminal.js';

/** Shows who changed what and when, a line for each event, oldest first. */
export const run: RunCommand = async ({ args, options, workspace, terminal, json }) => {
  const events = await workspace.log({ plan: args[0], goal: text(options.goal) });
  if (json) return { data: { events }, text: '' };
  if (events.length === 0) terminal.error('No events.\n');
  return { data: null, text: events.map((entry) => entryLine(entry, terminal.colors)).join('') };
};

function entryLine({ event, at, by, message, refused }: LogEntry, colors: Colors): string {
  const parts = [
    colors.dim(oneLine(at.slice(0, 19).replace('T', ' '))),
    oneLine(by),
    oneLine(message),
    ...(refused === null ? [] : [colors.red(`refused: ${oneLine(refused)}`)]),
    colors.dim(oneLine(event)),
  ];
  return `${parts.join('  ')}\n`;
}

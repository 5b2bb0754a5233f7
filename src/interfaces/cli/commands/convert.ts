import { printable, printableJson } from '../../../operations/front-end.js';
import type { Conversion } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { inputFor } from '../standard-input.js';
import type { Terminal } from '../terminal.js';

/** Writes an action plan in another dialect, to standard output or to a file. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const file = args[0] ?? '';
  const conversion = await workspace.convert({
    file,
    input: await inputFor(file),
    to: text(options.to) ?? 'frctl',
    format: text(options.format),
    lossy: options.lossy === true,
    output: text(options.output),
    force: options.force === true,
  });
  tell(conversion, terminal);
  // Every form is JSON: with the characters escaped that a terminal obeys it says the same.
  return { data: conversion, text: printableJson(conversion.content ?? '') };
};

function tell(conversion: Conversion, terminal: Terminal): void {
  const { losses, renamed, remarks, sidecar, file, sidecar_file: beside } = conversion;
  const warn = (line: string) =>
    terminal.error(`${terminal.errorColors.yellow('warning:')} ${printable(line)}\n`);
  for (const { what, step, why } of losses) warn(`${step ?? 'the plan'}: ${what}: ${why}`);
  if (sidecar !== null)
    warn(
      'Obsidian has no place for a part of this plan, and it is not printed; with --output it goes into a file beside.',
    );
  for (const remark of remarks) terminal.error(`${printable(remark)}\n`);
  for (const [old, id] of Object.entries(renamed))
    terminal.error(`Renamed ${printable(old)} to ${printable(id)}\n`);
  for (const written of [file, beside]) if (written !== null) terminal.error(`Wrote ${printable(written)}\n`);
}

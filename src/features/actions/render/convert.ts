import { printable, printableJson } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';

/** Prints the plan in its new form; what it lost, what was renamed and where it went goes to standard error. */
export const convert: RendererOf<OperationNamed<'convert'>> = {
  verbatim: () => true,
  remark({ losses, renamed, remarks, sidecar, file, sidecar_file: beside }, { terminal }) {
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
    for (const written of [file, beside])
      if (written !== null) terminal.error(`Wrote ${printable(written)}\n`);
  },
  // Every form is JSON: with the characters escaped that a terminal obeys it says the same.
  render: ({ content }) => printableJson(content ?? ''),
};

import { legible } from '../../../kernel/text/legible.js';
import { printableJson } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';

/** Prints the plan in its new form; what it lost, what was renamed and where it went goes to standard error. */
export const convert: RendererOf<OperationNamed<'convert'>> = {
  verbatim: () => true,
  remark({ losses, renamed, remarks, sidecar, file, sidecar_file: beside }, { terminal }) {
    const warn = (line: string) => terminal.tell(line, { label: 'warning' });
    for (const { what, step, why } of losses) warn(`${step ?? 'the plan'}: ${what}: ${why}`);
    if (sidecar !== null)
      warn(
        'Obsidian has no place for a part of this plan, so it is left out here; --output writes it to a second file.',
      );
    for (const remark of remarks) terminal.tell(remark);
    for (const [old, id] of Object.entries(renamed))
      terminal.tell(`Renamed ${legible(old)} to ${legible(id)}`);
    for (const written of [file, beside]) if (written !== null) terminal.tell(`Wrote ${legible(written)}`);
  },
  // Every form is JSON: with the characters escaped that a terminal obeys it says the same.
  render: ({ content }) => printableJson(content ?? ''),
};

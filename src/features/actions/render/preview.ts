import * as z from 'zod';

import { foldLines } from '../../../kernel/text/fold-lines.js';
import type { OperationNamed } from '../registry.js';
import { choice, toggle } from '../../../operations/shared/fields.js';
import type { RendererOf } from '../../../cli/renderer.js';

/** Shows an action plan before it runs. */
export const preview: RendererOf<OperationNamed<'preview'>> = {
  verbatim: (_shown, { options: { format } }) => format === 'toon',
  options: z.strictObject({
    verbose: toggle('whole arguments, ids, assumptions', { conflicts: 'quiet' }),
    quiet: toggle('numbers and status of the steps alone'),
    format: choice(['text', 'toon'], 'how to show it', { value: 'format' }),
  }),
  prepare: (input, { options: { verbose, quiet, format } }) => ({
    ...input,
    detail: verbose === true ? 'verbose' : quiet === true ? 'quiet' : 'normal',
    format: format === 'toon' ? 'toon' : 'text',
  }),
  // A terminal that is narrower would break lines by itself, so that a part of one looks like a line.
  render: ({ text }, { options, terminal: { columns = Infinity } }) =>
    options.format === 'toon' ? text : foldLines(text.split('\n'), columns).join('\n'),
};

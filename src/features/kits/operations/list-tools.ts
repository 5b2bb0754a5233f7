import * as z from 'zod';

import { defineOperation } from '../../../operations/operation.js';
import { text } from '../../../operations/shared/fields.js';
import { withKits } from '../../actions/tools/kits.js';
import { readToolsText } from '../../runs/operations/trust/trusted-tools-file.js';

const listedSchema = z.object({
  tools: z
    .array(
      z.object({
        name: z.string(),
        from: z.string().describe('`file`, or the name of its kit.'),
        effects: z.string(),
        input_schema: z
          .union([z.record(z.string(), z.unknown()), z.boolean()])
          .describe('The JSON Schema of its arguments.'),
        output_schema: z
          .record(z.string(), z.unknown())
          .nullable()
          .describe('The JSON Schema of what it brings; null where nobody knows it.'),
      }),
    )
    .readonly(),
});

/**
 * Lists the tools that a tools file binds, those of its kits included, trusted or not.
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT
 */
export const listTools = defineOperation({
  arguments: ['file'],
  input: z.strictObject({ file: text('the tools file (default: .plans/tools.yaml)', 'file') }),
  output: listedSchema,
  examples: ['plan tools list', 'plan tools list --json'],
  mutates: false,
  async run(context, { file: name }): Promise<z.output<typeof listedSchema>> {
    const file = await readToolsText(context, name);
    const { readToolsFile } = await import('../../actions/tools/read-tools-file.js');
    const { tools } = await withKits(context, readToolsFile(file.text, file.name), file.name);
    return {
      tools: tools.map(({ name: each, effects, inputSchema, outputSchema, run }) => ({
        name: each,
        from: run !== null && 'kit' in run ? run.kit : 'file',
        effects,
        input_schema: inputSchema,
        output_schema: outputSchema ?? null,
      })),
    };
  },
});

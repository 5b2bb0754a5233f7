import * as z from 'zod';

import {
  bindingSchema,
  checkSchema,
  effectsSchema,
  panesSchema,
  SANDBOXES,
  serverSchema,
} from './bindings.js';

const name = z.string().min(1).max(200);
const schema = z.union([z.record(z.string(), z.unknown()), z.boolean()]);

const toolSchema = z
  .strictObject({
    name: name.describe('What a step calls it.'),
    title: z.string().optional(),
    description: z.string().max(20_000).optional().describe('What it does, for whoever chooses it.'),
    input_schema: schema
      .optional()
      .describe('The JSON Schema of its arguments; anything goes when there is none.'),
    annotations: z.record(z.string(), z.unknown()).optional().describe('Shown, and never believed.'),
    effects: effectsSchema.optional(),
    ready: name
      .optional()
      .describe(
        'A check of this file that is waited for before each call, such as that nobody else uses the browser.',
      ),
    run: bindingSchema
      .optional()
      .describe('What carries it out; without it steps can be drafted with it, not run.'),
  })
  .describe('A tool.');

/** A tools file whose tools can be run. */
export const toolsFileV3Schema = z
  .strictObject({
    $schema: z.string().optional(),
    servers: z
      .record(z.string().regex(/^[\w.-]{1,100}$/, 'not a name for a server'), serverSchema)
      .optional()
      .describe('MCP servers, by name.'),
    tools: z.array(toolSchema).max(1000).optional(),
    checks: z
      .record(z.string().min(1).max(200), checkSchema)
      .optional()
      .describe('By their types, the conditions that plans may name.'),
    kits: z
      .record(
        z.string().regex(/^[\w-]{1,100}$/, 'not the name of a kit'),
        z.record(z.string(), z.unknown()).nullable(),
      )
      .optional()
      .describe('Ready-made tools, by the names of their kits, with the options of each; see docs/kits.md.'),
    panes: panesSchema.optional().describe('How the panes that plans of wa name are known again.'),
    sandbox: z.enum(SANDBOXES).optional().describe('The least sandbox of every command.'),
    require_sandbox: z
      .boolean()
      .optional()
      .describe('Whether nothing is run where bubblewrap is missing and a sandbox is asked for.'),
  })
  .meta({
    title: 'Tools that can be run',
    description: 'The tools that the steps of an action plan may use, and what carries each out.',
    examples: [
      {
        tools: [
          {
            name: 'git.log',
            input_schema: { type: 'object', properties: { since: { type: 'string' } }, required: ['since'] },
            effects: 'none',
            run: {
              command: ['git', 'log', '--format=%H %s', '--end-of-options', '${since}..HEAD'],
              output: 'lines',
            },
          },
        ],
      },
    ],
  });

export type ToolsFileV3 = z.infer<typeof toolsFileV3Schema>;

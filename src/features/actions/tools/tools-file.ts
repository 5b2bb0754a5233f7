import * as z from 'zod';

import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Effects, FileAction } from './bindings.js';

/** A tool that the steps of action plans may use. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>> | boolean;
  /** The JSON Schema of what it brings, where that is known. */
  readonly outputSchema?: JsonObject | undefined;
  /** What it does to the world, where something carries it out. */
  readonly effects?: Effects | undefined;
  /** What it does with a file below which folder of the workspace, where it is a built-in file tool. */
  readonly file?: { readonly action: FileAction; readonly root: string } | undefined;
}

const name = z.string().min(1).max(200).describe('What a step calls it.');
const description = z.string().max(20_000).optional().describe('What it does, for whoever chooses it.');
const schema = z
  .union([z.record(z.string(), z.unknown()), z.boolean()])
  .describe('The JSON Schema of its arguments; anything goes when there is none.');

const plainTool = z
  .looseObject({ name, description, input_schema: schema.optional() })
  .describe('A tool as here, and as Anthropic’s interface has it.');
const mcpTool = z
  .looseObject({ name, description, inputSchema: schema })
  .describe('A tool as an MCP server lists it.');
const functionTool = z
  .looseObject({ name, description, parameters: schema })
  .describe('A function as OpenAI’s interface has it.');
const wrappedFunction = z
  .looseObject({
    type: z.literal('function'),
    function: z.looseObject({ name, description, parameters: schema.optional() }),
  })
  .describe('The same, wrapped.');
const tool = z.union([wrappedFunction, functionTool, mcpTool, plainTool]);
const tools = z.array(tool).min(1).max(1000);

/** A tools file, in any of the forms it is accepted in. */
export const toolsFileSchema = z
  .union([
    z.looseObject({ tools }),
    z.looseObject({ result: z.looseObject({ tools }) }).describe('The reply of an MCP server to tools/list.'),
    tools,
  ])
  .meta({
    title: 'Tools',
    description:
      'The tools that the steps of an action plan may use, with the JSON Schemas of their arguments.',
    examples: [
      {
        tools: [
          {
            name: 'fs.write',
            description: 'Writes a file.',
            input_schema: {
              type: 'object',
              properties: { path: { type: 'string' }, text: { type: 'string' } },
              required: ['path', 'text'],
              additionalProperties: false,
            },
          },
        ],
      },
    ],
  });

/** The tools of a file that the schema has accepted, in its order. */
export function toolsOf(file: z.infer<typeof toolsFileSchema>): readonly Tool[] {
  const entries = Array.isArray(file) ? file : 'result' in file ? listOf(file.result) : listOf(file);
  return entries.map((entry) => {
    const one: Loose = wrappedFunction.safeParse(entry).data?.function ?? entry;
    return {
      name: String(one.name),
      description: typeof one.description === 'string' ? one.description : '',
      inputSchema: schemaOf(one.input_schema ?? one.inputSchema ?? one.parameters),
    };
  });
}

type Loose = Readonly<Record<string, unknown>>;
type Entry = z.infer<typeof tool>;

function listOf(holder: unknown): readonly Entry[] {
  return z.looseObject({ tools }).parse(holder).tools;
}

function schemaOf(value: unknown): Tool['inputSchema'] {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : true;
}

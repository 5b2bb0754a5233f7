import type { Binding, Effects, FileAction, KitBinding } from './bindings.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';

/** What is known of a built-in file tool, where the tools file says nothing of it. */
export interface FileTool {
  readonly description: string;
  readonly effects: Effects;
  readonly inputSchema: JsonObject;
}

const text = { type: 'string' } as const;

/** The built-in file tools. Writing the same text again does no harm; appending it, moving or removing does. */
export const FILE_TOOLS: Readonly<Record<FileAction, FileTool>> = {
  read: { description: 'Reads a text file.', effects: 'none', inputSchema: argumentsOf({ path: text }) },
  list: {
    description: 'Lists the files of a folder.',
    effects: 'none',
    inputSchema: argumentsOf({ path: text }, []),
  },
  write: {
    description: 'Writes a text file, in place of what is there.',
    effects: 'idempotent',
    inputSchema: argumentsOf({ path: text, text }),
  },
  append: {
    description: 'Adds text to the end of a file.',
    effects: 'once',
    inputSchema: argumentsOf({ path: text, text }),
  },
  move: { description: 'Moves a file.', effects: 'once', inputSchema: argumentsOf({ from: text, to: text }) },
  remove: { description: 'Removes a file.', effects: 'once', inputSchema: argumentsOf({ path: text }) },
};

/** The effects of a tool of which the file says nothing: of a built-in one they are known, else it is `once`. */
export function effectsOfBinding(run: Binding | KitBinding | null): Effects {
  return run !== null && 'file' in run ? FILE_TOOLS[run.file].effects : 'once';
}

function argumentsOf(
  properties: JsonObject,
  required: readonly string[] = Object.keys(properties),
): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

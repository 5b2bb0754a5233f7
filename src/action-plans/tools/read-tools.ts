import { LineCounter, parseDocument } from 'yaml';

import { messageOf, PlanError } from '../../kernel/errors.js';
import { toolsFileSchema, toolsOf } from './tools-file.js';
import type { Tool } from './tools-file.js';

/**
 * Reads a tools file, JSON or YAML: the form of docs/drafting.md, OpenAI's functions, or what an MCP server lists.
 * @param file its name, for messages
 * @throws PlanError INVALID_INPUT with file and line: neither JSON nor YAML, another shape, a name used twice
 */
export function readTools(text: string, file: string): readonly Tool[] {
  const result = toolsFileSchema.safeParse(parseYaml(text, file));
  if (!result.success)
    throw invalid(`${file}: this is no list of tools; each needs a name, and its arguments a JSON Schema`);
  const tools = toolsOf(result.data);
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw invalid(`${file}: the tool ${JSON.stringify(name)} is listed twice`);
    names.add(name);
  }
  return tools;
}

function parseYaml(text: string, file: string): unknown {
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false });
    const [error] = document.errors;
    if (error === undefined) return document.toJS();
    const { line } = lineCounter.linePos(error.pos[0]);
    throw invalid(`${file}:${line}: ${error.message}`);
  } catch (thrown) {
    throw thrown instanceof PlanError ? thrown : invalid(`${file}: ${messageOf(thrown)}`);
  }
}

function invalid(message: string): PlanError {
  return new PlanError('INVALID_INPUT', message, {
    hint: 'docs/drafting.md shows what a tools file holds; `plan schema tools-v1` prints its schema.',
  });
}

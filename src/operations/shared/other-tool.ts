import { PlanError } from '../../kernel/errors.js';
import type { ErrorCode } from '../../kernel/errors.js';
import type { Context } from './context.js';
import type { ToolOfFile } from './hooks.js';
import { fileWord } from './named-file.js';

/** Tells which tool a text looks like a plan of; null where it looks like none. */
export async function toolOfText(context: Context, text: string): Promise<ToolOfFile | null> {
  const importer = context.features.find(({ importer: one }) => one !== undefined)?.importer;
  return (await importer?.toolOf(text)) ?? null;
}

/** Says what a file looks like. */
export function looksLike(file: string, { tool, read }: ToolOfFile): string {
  const what = tool === 'frctl' ? 'a plan file of frctl' : `a plan of ${tool}`;
  return `${file} looks like ${what}${read === null ? ', which frctl does not read' : ''}`;
}

/** Says what reads such a file. */
export function readerOf(file: string, { read }: ToolOfFile): string {
  if (read === 'import') return `\`plan import ${fileWord(file)}\` reads it.`;
  if (read === 'folder')
    return `\`plan import FOLDER\` reads the folder of its project with all that belongs to it; \`plan init --from ${fileWord(file)}\` makes a plan of its lines alone.`;
  return 'Save it as a Markdown list; `plan init --from FILE` makes a plan of that.';
}

/** The error of a file that is a plan of a tool, and not what was asked for. */
export function otherToolError(code: ErrorCode, file: string, found: ToolOfFile): PlanError {
  return new PlanError(code, looksLike(file, found), {
    hint: { commandLine: readerOf(file, found) },
    details: { path: file, tool: found.tool },
  });
}

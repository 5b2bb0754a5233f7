import * as z from 'zod';

import type { JsonObject } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import type { CallSetting } from '../../runs/model/tool.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import type { KitTool } from '../kit.js';
import { findPath } from './paths.js';
import { bytesOf, bytesOfText, noteText, withLineEnds } from './text.js';
import { vaultTool, writeNote } from './vault-tool.js';
import type { VaultTool } from './vault-tool.js';

/** A position as editors have it: both from 0, `ch` in UTF-16 units. */
const position = z.object({ line: z.int().min(0), ch: z.int().min(0) });
const range = z.object({ start: position, end: position });
const selectionSchema = z.object({
  text: z.string(),
  isEmpty: z.boolean(),
  filePath: z.string(),
  mode: z.string(),
  range,
});
const cursorSchema = position.extend({ filePath: z.string(), sha256: z.string() });
const edited = z.strictObject({
  filePath: z.string(),
  range,
  insertedChars: z.int(),
  cursorAfter: position,
  etag: z.string(),
});

/** Where the next edit is made. */
interface Place {
  readonly filePath: string;
  readonly range: z.output<typeof range>;
  /** What stands there; null where the hash of the file is to be compared instead. */
  readonly text: string | null;
  readonly sha256: string;
}

const NO_SELECTION = () =>
  new RefusedCall(
    'NO_SELECTION',
    'nothing is selected, and no cursor is given: `plan prepare --selection FILE:LINE-LINE` says where',
  );

/** The selection of whoever prepared the run; after an edit of the run the cursor that it left. @throws RefusedCall NO_SELECTION */
async function placeOf({ host = {}, earlier }: CallSetting, isCursor: boolean): Promise<Place> {
  for (const { isKnown, output } of earlier?.('editor.replaceSelection', 'editor.insertAtCursor') ?? []) {
    const done = edited.safeParse(isKnown ? await output() : null);
    if (!done.success) continue;
    const { filePath, cursorAfter, etag } = done.data;
    return { filePath, range: { start: cursorAfter, end: cursorAfter }, text: null, sha256: etag };
  }
  const cursor = cursorSchema.safeParse(host.cursor);
  const selection = selectionSchema.safeParse(host.selection);
  if (cursor.success && (isCursor || !selection.success)) {
    const { filePath, line, ch, sha256: hash } = cursor.data;
    return { filePath, range: { start: { line, ch }, end: { line, ch } }, text: null, sha256: hash };
  }
  if (!selection.success) throw NO_SELECTION();
  const { filePath, range: selected, text } = selection.data;
  const at = isCursor ? { start: selected.end, end: selected.end } : selected;
  return { filePath, range: at, text: isCursor ? '' : text, sha256: '' };
}

const replaceInput = z.strictObject({
  text: z.string(),
  preserveIndent: z
    .boolean()
    .default(false)
    .describe('Each line gets the indent of the one that it begins in.'),
});

/** Returns the tool that puts a text in the place of the selection, or at the cursor. */
function edit(name: string, description: string, input: z.ZodObject, isCursor: boolean): KitTool {
  const tool: VaultTool<z.ZodObject> = {
    name,
    description,
    effects: 'once',
    input,
    output: edited,
    watches: async (_args, vault, setting) => [
      await findPath((await placeOf(setting, isCursor)).filePath, 'file', vault),
    ],
    // What was inserted is taken out again: the file must be what it was.
    async settled(args, vault, before, setting) {
      const place = await placeOf(setting, isCursor);
      const file = await findPath(place.filePath, 'file', vault);
      const now = file.kind === 'file' ? await bytesOf(file.path, file.name) : null;
      if (now === null) return null;
      const note = noteText(now, file.name);
      const start = offsetOf(note.text, place.range.start);
      if (start === null) return null;
      const text = indented(replaceInput.parse(args), note.text, start);
      const inserted = [withLineEnds(text, null), withLineEnds(text, { isCrlf: true })].find((one) => {
        const rest = note.text.substring(start + one.length);
        const was = note.text.substring(0, start) + (place.text ?? '') + rest;
        return note.text.startsWith(one, start) && sha256(bytesOfText(was, note)) === before.get(file.name);
      });
      return inserted === undefined ? null : editedAt(place, inserted, sha256(now));
    },
    async work(args, vault, call) {
      const place = await placeOf(call, isCursor);
      const file = await findPath(place.filePath, 'file', vault);
      const before = file.kind === 'file' ? await bytesOf(file.path, file.name) : null;
      if (before === null) throw new RefusedCall('NOT_FOUND', `there is no ${place.filePath}`);
      const note = noteText(before, file.name);
      const start = offsetOf(note.text, place.range.start);
      const end = offsetOf(note.text, place.range.end);
      const isSame =
        place.text === null
          ? sha256(before) === place.sha256
          : start !== null && end !== null && note.text.substring(start, end) === place.text;
      if (start === null || end === null || !isSame)
        throw new RefusedCall(
          'CONFLICT',
          `${place.filePath} is not what it was when the place in it was named`,
        );
      const inserted = withLineEnds(indented(replaceInput.parse(args), note.text, start), note);
      const after = note.text.substring(0, start) + inserted + note.text.substring(end);
      const { etag } = await writeNote(file, before, bytesOfText(after, note), call, vault);
      return editedAt(place, inserted, etag);
    },
  };
  const made = vaultTool(tool);
  // What is selected is named from the project, whatever folder of it has the notes.
  return { ...made, carry: (_, call) => made.carry({}, call) };
}

/** Returns the text that is inserted: its lines with the indent of the one that it begins in, where that is asked for. */
function indented(
  { text, preserveIndent }: z.output<typeof replaceInput>,
  note: string,
  start: number,
): string {
  const [indent = ''] = /^[ \t]*/.exec(note.substring(note.lastIndexOf('\n', start - 1) + 1, start)) ?? [];
  return preserveIndent ? text.replaceAll('\n', `\n${indent}`) : text;
}

function editedAt({ filePath, range: at }: Place, inserted: string, etag: string): z.output<typeof edited> {
  const cursorAfter = positionAfter(at.start, inserted);
  return { filePath, range: at, insertedChars: inserted.length, cursorAfter, etag };
}

/** Where a position is in a text; null where it has no such place. */
function offsetOf(text: string, { line, ch }: z.output<typeof position>): number | null {
  let start = 0;
  for (let at = 0; at < line; at += 1) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return null;
  }
  const end = text.indexOf('\n', start);
  return start + ch <= (end < 0 ? text.length : end) ? start + ch : null;
}

function positionAfter({ line, ch }: z.output<typeof position>, text: string): z.output<typeof position> {
  const lines = text.split('\n');
  const last = lines.at(-1)?.length ?? 0;
  return { line: line + lines.length - 1, ch: lines.length === 1 ? ch + last : last };
}

/** Returns a tool that tells what the preparation says of the host. @param tell throws RefusedCall */
function told(
  name: string,
  description: string,
  output: z.ZodType,
  tell: (host: JsonObject) => object,
): KitTool {
  const input = z.strictObject({});
  return vaultTool({
    name,
    description,
    effects: 'none',
    input,
    output,
    work: async (_, __, { host = {} }) => tell(host),
  });
}

function selectionIn({ selection }: JsonObject): z.output<typeof selectionSchema> {
  const read = selectionSchema.safeParse(selection);
  if (!read.success) throw NO_SELECTION();
  return read.data;
}

const active = z.strictObject({ filePath: z.string().nullable() });

/** What an editor knows, by what whoever prepared the run said of it. */
export const EDITOR_TOOLS: readonly KitTool[] = [
  told('editor.getSelection', 'Tells what is selected.', selectionSchema, selectionIn),
  told('editor.getActiveFilePath', 'Tells which file is active.', active, activeIn),
  told(
    'workspace.getContext',
    'Tells which file is active, and what is selected.',
    z.strictObject({ activeFilePath: z.string().nullable(), selection: selectionSchema.nullable() }),
    (host) => ({
      activeFilePath: activeIn(host).filePath,
      selection: selectionSchema.safeParse(host.selection).data ?? null,
    }),
  ),
  edit('editor.replaceSelection', 'Puts a text in the place of the selection.', replaceInput, false),
  edit(
    'editor.insertAtCursor',
    'Puts a text at the cursor.',
    replaceInput.omit({ preserveIndent: true }),
    true,
  ),
];

function activeIn({ activeFilePath }: JsonObject): z.output<typeof active> {
  return { filePath: typeof activeFilePath === 'string' ? activeFilePath : null };
}

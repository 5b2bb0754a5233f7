import { basename, dirname, join, posix } from 'node:path';
import * as z from 'zod';

import { makeFolder } from '../../../host/files/make-folder.js';
import { moveFile } from '../../../host/files/move-file.js';
import { sha256 } from '../../../kernel/sha256.js';
import { put, refuseChanged } from '../../runs/runners/file.js';
import type { FileCall } from '../../runs/runners/file.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { indexOf, linksIn, relinked, resolveLink } from './links.js';
import type { Moves } from './links.js';
import { findPath, listVault, rootOf } from './paths.js';
import type { Vault, VaultPath } from './paths.js';
import { bytesOf, bytesOfText, noteText } from './text.js';
import { vaultTool, writeNote } from './vault-tool.js';

/** A note whose links change with a move. */
interface ChangedNote {
  readonly file: VaultPath;
  readonly before: Buffer;
  readonly content: Buffer;
  readonly count: number;
}

const renaming = z.strictObject({
  fromPath: z.string().min(1),
  toPath: z.string().min(1),
  collisionStrategy: z.enum(['error', 'create-unique', 'overwrite']).default('error'),
  updateLinks: z.boolean().default(true).describe('Whether links to it are changed, also in properties.'),
});

/** What a call of rename comes to. */
interface Renaming {
  readonly from: VaultPath;
  readonly to: VaultPath;
  readonly notes: readonly ChangedNote[];
}

async function renamingOf(args: z.output<typeof renaming>, vault: Vault): Promise<Renaming> {
  const asFolder = await findPath(args.fromPath, 'folder', vault);
  const isFolder = asFolder.kind === 'folder';
  const kind = isFolder ? 'folder' : 'file';
  const from = isFolder ? asFolder : await findPath(args.fromPath, 'file', vault);
  if (from.within === '' || from.kind === null)
    throw new RefusedCall('NOT_FOUND', `there is no file ${from.within}`);
  const to = await targetOf(args.toPath, kind, from, vault);
  if (isFolder && `${to.within}/`.startsWith(`${from.within}/`))
    throw new RefusedCall('INTO_ITSELF', `${from.within} cannot be moved into itself`);
  if (to.kind === null) return { from, to, notes: await changedNotes(args, from, to, vault) };
  if (to.within === from.within)
    throw new RefusedCall('INTO_ITSELF', `${from.within} and ${to.within} are the same file`);
  if (args.collisionStrategy === 'error' || isFolder || to.kind === 'folder')
    throw new RefusedCall('ALREADY_EXISTS', `${to.within} is there already`);
  const target = args.collisionStrategy === 'overwrite' ? to : await freeBeside(to, vault);
  return { from, to: target, notes: await changedNotes(args, from, target, vault) };
}

/** A name that differs in case alone from what is moved is no conflict: it is that. */
async function targetOf(
  path: string,
  kind: 'file' | 'folder',
  from: VaultPath,
  vault: Vault,
): Promise<VaultPath> {
  try {
    return await findPath(path, kind, vault);
  } catch (thrown) {
    const last = path.replaceAll('\\', '/').split('/').at(-1) ?? '';
    const name = kind === 'file' && !last.includes('.') ? `${last}.md` : last;
    const isOwn =
      thrown instanceof RefusedCall &&
      thrown.code === 'CASE_CONFLICT' &&
      name.normalize('NFC').toLowerCase() === basename(from.within).normalize('NFC').toLowerCase();
    if (!isOwn) throw thrown;
    const folder = await findPath(posix.dirname(path.replaceAll('\\', '/')), 'folder', vault);
    if (folder.within !== (posix.dirname(from.within) === '.' ? '' : posix.dirname(from.within)))
      throw thrown;
    const beside = (whole: string) => `${whole.slice(0, whole.length - basename(whole).length)}${name}`;
    return {
      path: beside(from.path),
      name: beside(from.name),
      within: beside(from.within),
      kind: null,
    };
  }
}

async function freeBeside(taken: VaultPath, vault: Vault): Promise<VaultPath> {
  const { dir, name, ext } = posix.parse(taken.within);
  for (let number = 1; ; number += 1) {
    const found = await findPath(posix.join(dir, `${name} ${number}${ext}`), 'file', vault);
    if (found.kind === null) return found;
  }
}

async function changedNotes(
  { updateLinks }: z.output<typeof renaming>,
  from: VaultPath,
  to: VaultPath,
  vault: Vault,
): Promise<readonly ChangedNote[]> {
  if (!updateLinks) return [];
  const files = (await listVault(vault)).filter(({ kind }) => kind === 'file').map(({ within }) => within);
  const moves = movesOf(files, from.within, to.within);
  const before = indexOf(files);
  const after = indexOf(files.map((file) => moves.get(file) ?? file));
  const changed: ChangedNote[] = [];
  for (const within of files) {
    if (!/\.md$/i.test(within)) continue;
    const file = await findPath(within, 'file', vault).catch(() => null);
    const bytes = file === null ? null : await bytesOf(file.path, within).catch(() => null);
    if (file === null || bytes === null || !/\[\[|\]\(/.test(bytes.toString('latin1'))) continue;
    const text = textIfAny(bytes, within);
    const linked = text === null ? null : relinked(text.text, within, { moves, before, after });
    if (text === null || linked === null) continue;
    changed.push({ file, before: bytes, content: bytesOfText(linked.text, text), count: linked.count });
  }
  return changed;
}

function textIfAny(bytes: Buffer, name: string) {
  try {
    return noteText(bytes, name);
  } catch (thrown) {
    if (thrown instanceof RefusedCall) return null;
    throw thrown;
  }
}

function movesOf(files: readonly string[], from: string, to: string): Moves {
  const moved = files.filter((file) => file === from || file.startsWith(`${from}/`));
  return new Map(moved.map((file) => [file, to + file.slice(from.length)]));
}

export const rename = vaultTool({
  name: 'vault.rename',
  description: 'Moves a note, another file or a folder, and has links go on meaning it.',
  effects: 'once',
  input: renaming,
  output: z.strictObject({
    fromPath: z.string(),
    toPath: z.string(),
    linksUpdated: z.int(),
    changed: z.array(z.string()),
  }),
  paths: { fromPath: 'folder', toPath: 'folder' },
  async changes(args, vault) {
    const { from, to, notes } = await renamingOf(args, vault);
    return [...(from.kind === 'file' ? [from, to] : []), ...notes.map(({ file }) => file)];
  },
  settled: settledMove,
  async work(args, vault, call) {
    const { from, to, notes } = await renamingOf(args, vault);
    const { environment } = vault;
    let content = from.kind === 'file' ? await bytesOf(from.path, from.within) : null;
    if (content !== null) {
      refuseChanged(from.name, content, call);
      await environment.keep(content);
    }
    const replaced = to.kind === 'file' ? await bytesOf(to.path, to.within) : null;
    if (replaced !== null) {
      refuseChanged(to.name, replaced, call);
      await environment.keep(replaced);
    }
    for (const note of notes) {
      await writeNote(note.file, note.before, note.content, call, vault);
      if (note.file.within === from.within) ({ content } = note);
    }
    // Last, so that where the file is at its new place all of it was done.
    await makeFolder(dirname(to.path));
    await moveFile(from.path, to.path);
    noteMove(call, from, to, content);
    return {
      fromPath: from.within,
      toPath: to.within,
      linksUpdated: notes.reduce((sum, { count }) => sum + count, 0),
      changed: notes.map(({ file: { within } }) =>
        within === from.within || within.startsWith(`${from.within}/`)
          ? to.within + within.slice(from.within.length)
          : within,
      ),
    };
  },
});

/** Tells of a move that was made: the file is moved last, so that where it is gone all of it was done. */
async function settledMove(
  { fromPath, toPath, collisionStrategy }: z.output<typeof renaming>,
  vault: Vault,
  before: ReadonlyMap<string, string | null>,
): Promise<object | null> {
  const from = await findPath(fromPath, 'file', vault);
  const to = await findPath(toPath, 'file', vault);
  const isMoved = from.kind === null && to.kind === 'file' && before.get(from.name) != null;
  if (!isMoved || collisionStrategy === 'create-unique') return null;
  const files = (await listVault(vault)).filter(({ kind }) => kind === 'file').map(({ within }) => within);
  const index = indexOf(files);
  const changed: string[] = [];
  let linksUpdated = 0;
  for (const within of files) {
    const file = await findPath(within, 'file', vault);
    const wasNamed = file.name === to.name || before.has(file.name);
    const bytes = wasNamed ? await bytesOf(file.path, within) : null;
    const was = before.get(file.name === to.name ? from.name : file.name);
    if (bytes === null || sha256(bytes) === was) continue;
    const links = linksIn(noteText(bytes, within).text);
    linksUpdated += links.filter(({ target }) => resolveLink(target, within, index) === to.within).length;
    changed.push(within);
  }
  return { fromPath: from.within, toPath: to.within, linksUpdated, changed };
}

function noteMove({ files }: FileCall, from: VaultPath, to: VaultPath, content: Buffer | null): void {
  if (content === null) return;
  files.push({ path: from.name, sha256: null }, { path: to.name, sha256: sha256(content) });
}

const deleting = z.strictObject({
  path: z.string().min(1),
  trash: z.boolean().default(true).describe('Moves it into .trash of the vault; else it is removed.'),
  requireExists: z.boolean().default(true),
});

export const deleteFile = vaultTool({
  name: 'vault.delete',
  description: 'Moves a file to the trash of the vault, or removes it.',
  effects: 'once',
  input: deleting,
  output: z.strictObject({
    path: z.string(),
    deleted: z.boolean(),
    trashed: z.boolean(),
    trashPath: z.string().nullable(),
  }),
  paths: { path: 'file' },
  changes: async ({ path }, vault) => [await findPath(path, 'file', vault)],
  settled: settledDeletion,
  async work({ path, trash, requireExists }, vault, call) {
    const file = await findPath(path, 'file', vault);
    if (file.kind === 'folder') throw new RefusedCall('NOT_A_FILE', `${file.within} is a folder`);
    const content = file.kind === null ? null : await bytesOf(file.path, file.within);
    if (content === null) {
      if (requireExists) throw new RefusedCall('NOT_FOUND', `there is no file ${file.within}`);
      return { path: file.within, deleted: false, trashed: false, trashPath: null };
    }
    refuseChanged(file.name, content, call);
    await vault.environment.keep(content);
    if (!trash) {
      if (!(await put(null, { ...file, before: content }, call)))
        throw new RefusedCall('CONFLICT', `${file.within} was changed meanwhile`);
      return { path: file.within, deleted: true, trashed: false, trashPath: null };
    }
    const trashPath = await freeInTrash(file.within, vault);
    const to = join(rootOf(vault), trashPath);
    await makeFolder(dirname(to));
    await moveFile(file.path, to);
    call.files.push({ path: file.name, sha256: null });
    return { path: file.within, deleted: true, trashed: true, trashPath };
  },
});

/** Tells of a file that is gone: it is in the trash as it was, or was to be removed. */
async function settledDeletion(
  { path, trash }: z.output<typeof deleting>,
  vault: Vault,
  before: ReadonlyMap<string, string | null>,
): Promise<object | null> {
  const file = await findPath(path, 'file', vault);
  if (file.kind !== null) return null;
  if (!trash) return { path: file.within, deleted: true, trashed: false, trashPath: null };
  const { dir, name, ext } = posix.parse(file.within);
  let last: string | null = null;
  for (let number = 0; ; number += 1) {
    const at = posix.join('.trash', dir, number === 0 ? `${name}${ext}` : `${name} ${number}${ext}`);
    const bytes = await bytesOf(join(rootOf(vault), at), at);
    if (bytes === null) break;
    if (sha256(bytes) === before.get(file.name)) last = at;
  }
  return last === null ? null : { path: file.within, deleted: true, trashed: true, trashPath: last };
}

async function freeInTrash(within: string, vault: Vault): Promise<string> {
  const { dir, name, ext } = posix.parse(within);
  for (let number = 0; ; number += 1) {
    const path = posix.join('.trash', dir, number === 0 ? `${name}${ext}` : `${name} ${number}${ext}`);
    if ((await bytesOf(join(rootOf(vault), path), path)) === null) return path;
  }
}

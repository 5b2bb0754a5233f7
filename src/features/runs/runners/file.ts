import { dirname } from 'node:path';

import * as z from 'zod';

import type { FileBinding } from '../../actions/tools/bindings.js';
import { fileIdentity, isSameFile, isTooLarge } from '../../../host/files/file-identity.js';
import { readPlainBytes, readPlainBytesNow, readPlainFolder } from '../../../host/files/plain-file.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { deleteFile } from '../../../host/files/move-file.js';
import { permissionsOf, removeTemporaries, replaceFile } from '../../../host/files/replace-file.js';
import type { Permissions } from '../../../host/files/replace-file.js';
import { errorCode } from '../../../host/files/storage-error.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';
import { CANCELLED } from '../model/events/attempt-ended.js';
import type { ExpectedFile, FileState, KnownCall, Outcome, ToolCall } from '../model/tool.js';
import { refuseFileName, workspaceFile } from './workspace-file.js';
import type { WorkspaceFile } from './workspace-file.js';
import { knownProblem } from './known-problem.js';
import { MOST_BYTES } from './limits.js';
import { concluded, toolFailure, notSentOutcome, RefusedCall } from './outcomes.js';
import { createSecrets } from './secrets.js';
import type { RunnerEnvironment } from './runner-environment.js';

const oneFile = z.object({ path: z.string() });
const withText = oneFile.extend({ text: z.string() });
const twoFiles = z.object({ from: z.string(), to: z.string() });
const folder = z.object({ path: z.string().default('.') });

/** Most names that are listed. */
const MOST_NAMES = 10_000;

/** Does what a binding of a built-in file tool says. */
export function callFile(
  binding: FileBinding,
  call: ToolCall,
  environment: RunnerEnvironment,
): Promise<Outcome> {
  return changingFiles(call, environment, async (changing) => {
    try {
      return await done(binding, changing, environment);
    } catch (cause) {
      // A move that is refused has put back what it had put there.
      if (cause instanceof RefusedCall) changing.files.length = 0;
      throw cause;
    }
  });
}

/** Does what changes files, one call after the other, and tells how they were left. What is refused has not begun. */
export function changingFiles(
  call: ToolCall,
  environment: RunnerEnvironment,
  work: (call: FileCall) => Promise<JsonObject>,
): Promise<Outcome> {
  const files: FileState[] = [];
  return concluded(createSecrets({}), async () => {
    if (call.signal.aborted) return notSentOutcome(CANCELLED, 'it was dropped before it began');
    try {
      const output = await inTurn(environment, () => work({ ...call, files }));
      return { outcome: 'succeeded', output, files };
    } catch (cause) {
      // What is refused after something was changed has happened in part.
      if (cause instanceof RefusedCall && files.length === 0) throw cause;
      const code = cause instanceof RefusedCall ? cause.code : codeOf(cause);
      return {
        outcome: 'failed',
        error: toolFailure(code, messageOf(cause), errorCode(cause) !== 'ENOENT'),
        files,
      };
    }
  });
}

const turns = new WeakMap<RunnerEnvironment, Promise<unknown>>();

/** Items of a loop may add to one file: what one call has read is not changed by another before it writes. */
function inTurn<T>(environment: RunnerEnvironment, work: () => Promise<T>): Promise<T> {
  const before = turns.get(environment) ?? Promise.resolve();
  const done = before.then(work, work);
  turns.set(
    environment,
    done.catch(() => undefined),
  );
  return done;
}

/** The files that a call would replace, change or remove, as they are now, of those whose names are known. */
export async function inputsOfFile(
  binding: FileBinding,
  args: JsonObject,
  environment: RunnerEnvironment,
  later: ReadonlySet<string> = new Set(),
): Promise<readonly FileState[]> {
  if (binding.file === 'read' || binding.file === 'list') return [];
  const names = Object.entries(binding.file === 'move' ? parsed(twoFiles, args) : parsed(oneFile, args));
  const known = names.flatMap(([member, name]) => (later.has(member) ? [] : [name]));
  return Promise.all(
    known.map(async (name) => stateOf(await workspaceFile(name, binding.root, environment))),
  );
}

/** The members of its arguments that a binding needs, and those of them that name files. */
const NEEDED = {
  read: oneFile.shape,
  list: folder.shape,
  write: withText.shape,
  append: withText.shape,
  move: twoFiles.shape,
  remove: oneFile.shape,
} as const satisfies Readonly<Record<FileBinding['file'], z.ZodRawShape>>;

/** Why a binding of a built-in file tool could not be called so, whatever files there are; null where it could. */
export function problemOfFile(
  { file, root }: FileBinding,
  { args, later }: KnownCall,
  environment: RunnerEnvironment,
): string | null {
  const known = Object.entries<z.ZodType>(NEEDED[file]).filter(([name]) => !later.has(name));
  return knownProblem(
    known.map(([name, schema]) => () => {
      const value: unknown = parsed(z.object({ [name]: schema }), args)[name];
      if (typeof value !== 'string') return;
      if (name === 'text') refuseLarge(Buffer.byteLength(value), 'it');
      else refuseFileName(value, root, environment);
    }),
  );
}

/** Characters of a hash that no two attempts share. */
const MARK_LENGTH = 12;

/** What is in the names of the temporary files of an attempt. */
export function markOf(attempt: string): string {
  return sha256(attempt).slice(0, MARK_LENGTH);
}

/** Removes the temporary files of an attempt whose process was killed while it wrote. */
export async function removeLeftoversOfFile(
  binding: FileBinding,
  { args, attempt }: Pick<ToolCall, 'args' | 'attempt'>,
  environment: RunnerEnvironment,
): Promise<void> {
  const name = binding.file === 'move' ? args.to : args.path;
  if (typeof name !== 'string') return;
  try {
    const { path } = await workspaceFile(name, binding.root, environment);
    await removeTemporaries(path, markOf(attempt));
  } catch (cause) {
    // Nothing was written under a name that is refused.
    if (!(cause instanceof RefusedCall)) throw cause;
  }
}

/** A call with the files that it has replaced or removed so far, as it has left them. */
export interface FileCall extends ToolCall {
  readonly files: FileState[];
}

async function done(
  binding: FileBinding,
  call: FileCall,
  environment: RunnerEnvironment,
): Promise<JsonObject> {
  const at = (name: string) => workspaceFile(name, binding.root, environment);
  const { args } = call;
  switch (binding.file) {
    case 'read':
      return readText(await at(parsed(oneFile, args).path));
    case 'list':
      return list(await at(parsed(folder, args).path));
    case 'write': {
      const { path, text } = parsed(withText, args);
      return write(await found(await at(path)), Buffer.from(text, 'utf8'), call, environment);
    }
    case 'append': {
      const { path, text } = parsed(withText, args);
      const target = await found(await at(path));
      const content = Buffer.concat([target.before ?? Buffer.alloc(0), Buffer.from(text, 'utf8')]);
      return write(target, content, call, environment);
    }
    case 'move': {
      const { from, to } = parsed(twoFiles, args);
      return move(await at(from), await at(to), call, environment);
    }
    case 'remove':
      return remove(await at(parsed(oneFile, args).path), call, environment);
  }
}

async function readText({ path, name }: WorkspaceFile): Promise<JsonObject> {
  const bytes = await readPlainBytes(path, MOST_BYTES);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path: name, text, sha256: sha256(bytes) };
  } catch {
    throw new RefusedCall('VALIDATION_ERROR', `${name} is not UTF-8 text`);
  }
}

async function list({ path, name }: WorkspaceFile): Promise<JsonObject> {
  const entries = await readPlainFolder(path);
  const told = entries.slice(0, MOST_NAMES).map((entry) => ({
    name: entry.name,
    kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
  }));
  return { path: name, entries: told, ...(entries.length > MOST_NAMES ? { truncated: true } : {}) };
}

/** A file with what it held when a call looked at it. */
export interface FoundFile extends WorkspaceFile {
  readonly before: Buffer | null;
  /** Who may do what with what is put there; what is written over keeps its own where it is not said. */
  readonly permissions?: Permissions | undefined;
}

async function found(target: WorkspaceFile): Promise<FoundFile> {
  return { ...target, before: await contentOf(target.path) };
}

async function write(
  target: FoundFile,
  content: Buffer,
  call: FileCall,
  environment: RunnerEnvironment,
): Promise<JsonObject> {
  const { before } = target;
  refuseLarge(content.length, target.name);
  refuseChanged(target.name, before, call);
  const kept = before === null ? {} : { replaced: await environment.keep(before) };
  await makeFolder(dirname(target.path));
  if (!(await put(content, target, call))) throw changedMeanwhile(target);
  return { path: target.name, bytes: content.length, sha256: sha256(content), ...kept };
}

async function move(
  from: WorkspaceFile,
  to: WorkspaceFile,
  call: FileCall,
  environment: RunnerEnvironment,
): Promise<JsonObject> {
  const content = await contentOf(from.path);
  if (content === null) throw new RefusedCall('NOT_FOUND', `there is no file ${from.name}`);
  await refuseSameFile(from, to);
  refuseChanged(from.name, content, call);
  const kept = await environment.keep(content);
  const target = await found(to);
  // As a rename does: otherwise what nobody else may read could be read by all.
  const permissions = (await permissionsOf(from.path)) ?? undefined;
  const replaced = (await permissionsOf(to.path)) ?? undefined;
  const written = await write({ ...target, permissions }, content, call, environment);
  if (await put(null, { ...from, before: content }, call)) return { ...written, from: from.name, kept };
  if (await put(target.before, { ...target, before: content, permissions: replaced }, call))
    throw changedMeanwhile(from);
  throw new Error(
    `${from.name} was changed while it was moved to ${to.name}, and both were left as they are`,
  );
}

/**
 * Gives a file another content, or removes it (null), unless it was changed since it was looked at, and notes how it
 * was left. @returns whether it was not changed
 */
export async function put(
  content: Buffer | null,
  { path, name, before, permissions }: FoundFile,
  { files, attempt }: FileCall,
): Promise<boolean> {
  const unless = () => !isSame(before, contentNow(path));
  const note = () => files.push({ path: name, sha256: content === null ? null : sha256(content) });
  try {
    const isPut =
      content === null
        ? await deleteFile(path, unless)
        : await replaceFile(path, content, { unless, permissions, mark: markOf(attempt) });
    if (isPut) note();
    return isPut;
  } catch (cause) {
    // It may be there, and not be durable yet.
    if (content !== null && isSame(content, contentNow(path))) note();
    throw cause;
  }
}

/** A file that is moved onto itself, also by another spelling of its name, would be written and then deleted. */
async function refuseSameFile(from: WorkspaceFile, to: WorkspaceFile): Promise<void> {
  const [one, other] = await Promise.all([from, to].map(({ path }) => fileIdentity(path).catch(() => null)));
  const isSame = from.path === to.path || (one != null && other != null && isSameFile(one, other));
  if (isSame)
    throw new RefusedCall('VALIDATION_ERROR', `${from.name} and ${to.name} are names of the same file`);
}

async function remove(
  target: WorkspaceFile,
  call: FileCall,
  environment: RunnerEnvironment,
): Promise<JsonObject> {
  const before = await contentOf(target.path);
  if (before === null) throw new RefusedCall('NOT_FOUND', `there is no file ${target.name}`);
  refuseChanged(target.name, before, call);
  const replaced = await environment.keep(before);
  if (!(await put(null, { ...target, before }, call))) throw changedMeanwhile(target);
  return { path: target.name, removed: true, replaced };
}

function changedMeanwhile({ name }: WorkspaceFile): RefusedCall {
  return new RefusedCall('CONFLICT', `${name} was changed meanwhile`);
}

const SINCE = {
  prepared: 'since the run was prepared',
  asked: 'since this step was approved, or was to be',
  written:
    'since a step of this run wrote it; a program of the run that changes it names it under `writes` of its binding',
} as const satisfies Readonly<Record<ExpectedFile['since'], string>>;

/** Refuses when a file is not what it was when the run was prepared or the step asked, or what the run has made of it. */
export function refuseChanged(name: string, content: Buffer | null, { expected = [] }: ToolCall): void {
  const wanted = expected.find(({ path }) => path === name);
  if (wanted === undefined || wanted.sha256 === (content === null ? null : sha256(content))) return;
  throw new RefusedCall('CONFLICT', `${name} was changed ${SINCE[wanted.since]}`);
}

export function refuseLarge(bytes: number, name: string): void {
  if (bytes > MOST_BYTES)
    throw new RefusedCall(
      'VALIDATION_ERROR',
      `${name} would have ${bytes} bytes; ${MOST_BYTES} are the most`,
    );
}

async function stateOf({ path, name }: WorkspaceFile): Promise<FileState> {
  const content = await contentOf(path);
  return { path: name, sha256: content === null ? null : sha256(content) };
}

/** What a file holds; null when there is none. What is no plain file, or too large, is refused. */
async function contentOf(path: string): Promise<Buffer | null> {
  try {
    return await readPlainBytes(path, MOST_BYTES);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    if (cause instanceof PlanError) throw new RefusedCall(codeOf(cause), cause.message);
    throw cause;
  }
}

/** What a file holds at this moment; null when there is none, undefined when there is something that cannot be told. */
function contentNow(path: string): Buffer | null | undefined {
  try {
    return readPlainBytesNow(path, MOST_BYTES);
  } catch (cause) {
    return errorCode(cause) === 'ENOENT' ? null : undefined;
  }
}

/** Whether a file still holds what it held; never where that cannot be told. */
function isSame(before: Buffer | null, now: Buffer | null | undefined): boolean {
  return before === null || now == null ? before === now : before.equals(now);
}

function parsed<T>(schema: z.ZodType<T>, args: JsonObject): T {
  const result = schema.safeParse(args, IN_OUR_WORDS);
  if (result.success) return result.data;
  const { path = [], message = '' } = result.error.issues[0] ?? {};
  throw new RefusedCall('VALIDATION_ERROR', `${path.map(String).join('.')} ${message}`);
}

function codeOf(cause: unknown): string {
  if (errorCode(cause) === 'ENOENT') return 'NOT_FOUND';
  return isTooLarge(cause) ? 'VALIDATION_ERROR' : 'FILE_FAILED';
}

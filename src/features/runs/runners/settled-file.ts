import type { FileBinding } from '../../actions/tools/bindings.js';
import { readPlainBytes } from '../../../host/files/plain-file.js';
import { errorCode } from '../../../host/files/storage-error.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import type { FileState, SettledCall } from '../model/tool.js';
import { MOST_BYTES } from './limits.js';
import { workspaceFile } from './workspace-file.js';
import type { RunnerEnvironment } from './runner-environment.js';

const FAILED: SettledCall = { as: 'failed' };

/**
 * Tells by the files whether a call of a built-in file tool took effect whose executor was killed; null where they are
 * neither as they were nor as the call leaves them.
 */
export async function settledFile(
  { file, root }: FileBinding,
  args: JsonObject,
  before: readonly FileState[],
  environment: RunnerEnvironment,
): Promise<SettledCall | null> {
  const now = async (name: unknown) => {
    if (typeof name !== 'string') return null;
    const target = await workspaceFile(name, root, environment);
    const was = before.find(({ path }) => path === target.name);
    return was === undefined
      ? null
      : { name: target.name, was: was.sha256, bytes: await bytesOf(target.path) };
  };
  if (file === 'append' && typeof args.text === 'string') return appended(await now(args.path), args.text);
  if (file === 'remove') return removed(await now(args.path));
  return file === 'move' ? moved(await now(args.from), await now(args.to)) : null;
}

/** A file of a call: what it was, and what it holds now. */
interface Now {
  readonly name: string;
  readonly was: string | null;
  readonly bytes: Buffer | null;
}

function appended(at: Now | null, text: string): SettledCall | null {
  if (at === null) return null;
  const { name: path, was, bytes } = at;
  const added = Buffer.from(text, 'utf8');
  const length = (bytes?.length ?? 0) - added.length;
  if (bytes !== null && length >= 0 && bytes.subarray(length).equals(added)) {
    const rest = bytes.subarray(0, length);
    const isMade = was === null ? length === 0 : sha256(rest) === was;
    if (isMade) return { as: 'succeeded', output: { path, bytes: bytes.length, sha256: sha256(bytes) } };
  }
  return hashOf(bytes) === was ? FAILED : null;
}

function removed(at: Now | null): SettledCall | null {
  if (at === null || at.was === null) return null;
  if (at.bytes === null) return { as: 'succeeded', output: { path: at.name, removed: true } };
  return hashOf(at.bytes) === at.was ? FAILED : null;
}

function moved(from: Now | null, to: Now | null): SettledCall | null {
  if (from === null || to === null || from.was === null) return null;
  const [left, arrived] = [hashOf(from.bytes), hashOf(to.bytes)];
  if (left === null && arrived === from.was && to.bytes !== null)
    return {
      as: 'succeeded',
      output: { path: to.name, bytes: to.bytes.length, sha256: arrived, from: from.name },
    };
  return left === from.was && arrived === to.was ? FAILED : null;
}

function hashOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : sha256(bytes);
}

async function bytesOf(path: string): Promise<Buffer | null> {
  try {
    return await readPlainBytes(path, MOST_BYTES);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw cause;
  }
}

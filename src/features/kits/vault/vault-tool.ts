import { stat } from 'node:fs/promises';
import type * as z from 'zod';

import { removeTemporaries } from '../../../host/files/replace-file.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import type { Effects } from '../../actions/tools/bindings.js';
import type { CallSetting, FileState, SettledCall } from '../../runs/model/tool.js';
import { changingFiles, markOf, put, refuseChanged, refuseLarge } from '../../runs/runners/file.js';
import type { FileCall } from '../../runs/runners/file.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { dirname, join } from 'node:path';
import { asJson, problemBy, readArgs } from '../kit.js';
import type { CarriedTool, KitTool } from '../kit.js';
import { partsOfPath } from './paths.js';
import type { Vault, VaultPath } from './paths.js';
import { bytesOf } from './text.js';

/** A tool that looks at, or changes, files of a vault. */
export interface VaultTool<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effects: Effects;
  readonly effectsOf?: (args: z.output<Schema>) => Effects;
  readonly input: Schema;
  readonly output: z.ZodType;
  readonly rev?: number;
  /** Members of its arguments that are paths, and of what. */
  readonly paths?: Readonly<Record<string, 'file' | 'folder'>>;
  /** The files that a call would change, as far as that is known before. @throws RefusedCall */
  readonly changes?: (args: z.output<Schema>, vault: Vault) => Promise<readonly VaultPath[]>;
  /** The files by which `settled` tells what came of a call, where `changes` does not name them. @throws RefusedCall */
  readonly watches?: (
    args: z.output<Schema>,
    vault: Vault,
    setting: CallSetting,
  ) => Promise<readonly VaultPath[]>;
  /**
   * Tells what came of a call whose process was killed, by what is there now; null where that does not tell it.
   * It is not asked where nothing has changed.
   * @param before the hash of each file of `changes` as it was, by its path in the workspace
   */
  readonly settled?: (
    args: z.output<Schema>,
    vault: Vault,
    before: ReadonlyMap<string, string | null>,
    setting: CallSetting,
  ) => Promise<object | null>;
  /** @throws RefusedCall */
  readonly work: (args: z.output<Schema>, vault: Vault, call: FileCall) => Promise<object>;
}

/** Returns a tool of a vault as a tool of a kit. */
export function vaultTool<Schema extends z.ZodObject>(tool: VaultTool<Schema>): KitTool {
  const { name, description, effects, input, output, rev = 1 } = tool;
  return {
    name,
    description,
    effects,
    input,
    output,
    rev,
    carry: (options, call) => carried(tool, vaultOf(options, call)),
  };
}

function vaultOf({ root }: JsonObject, { environment }: KitCall): Vault {
  return { root: typeof root === 'string' ? root : '.', environment };
}

function carried<Schema extends z.ZodObject>(tool: VaultTool<Schema>, vault: Vault): CarriedTool {
  const { input, paths = {}, changes, watches, effectsOf } = tool;
  const { environment } = vault;
  const read = (args: JsonObject) => readArgs(input, args);
  return {
    problem: problemBy((args) => {
      for (const [member, kind] of Object.entries(paths)) {
        const path = args[member];
        if (typeof path === 'string') partsOfPath(path, kind);
      }
    }),
    ...(effectsOf === undefined ? {} : { effectsOf: (args: JsonObject) => effectsOf(read(args)) }),
    ...(changes === undefined
      ? {}
      : {
          inputs: async (args: JsonObject, later?: ReadonlySet<string>) =>
            Object.keys(paths).some((member) => later?.has(member) === true)
              ? []
              : states(() => changes(read(args), vault)),
          checksInputs: true,
        }),
    ...(watches === undefined
      ? {}
      : {
          watched: (args: JsonObject, setting: CallSetting) =>
            states(() => watches(read(args), vault, setting)),
        }),
    ...(tool.settled === undefined
      ? {}
      : {
          settled: (args, before, _key, setting = {}) => settledBy(tool, vault, { args, before, setting }),
        }),
    call: (call) =>
      changingFiles(call, environment, async (changing) =>
        asJson(await tool.work(read(call.args), vault, changing)),
      ),
    async removeLeftovers({ args, attempt }) {
      const found = await changes?.(read(args), vault).catch(() => []);
      for (const { path } of found ?? []) await removeTemporaries(path, markOf(attempt));
    },
  };
}

/** A call whose process was killed. */
interface Killed {
  readonly args: JsonObject;
  readonly before: readonly FileState[];
  readonly setting: CallSetting;
}

/** Tells what came of a call: where every file is as it was, nothing. */
async function settledBy<Schema extends z.ZodObject>(
  { input, settled }: VaultTool<Schema>,
  vault: Vault,
  { args, before, setting }: Killed,
): Promise<SettledCall | null> {
  const now = await Promise.all(before.map(({ path }) => hashAt(path, vault)));
  if (before.every(({ sha256: hash }, index) => hash === now[index])) return { as: 'failed' };
  const known = new Map(before.map(({ path, sha256: hash }) => [path, hash]));
  const output = await settled?.(readArgs(input, args), vault, known, setting);
  return output == null ? null : { as: 'succeeded', output: asJson(output) };
}

/** Returns files as they are now; none where they cannot be: what is wrong is told when the call is made. */
async function states(found: () => Promise<readonly VaultPath[]>): Promise<readonly FileState[]> {
  try {
    return await Promise.all((await found()).map(stateOf));
  } catch (thrown) {
    if (thrown instanceof RefusedCall) return [];
    throw thrown;
  }
}

/** Returns the hash of what a file of the workspace holds; null where there is none. */
async function hashAt(path: string, { environment }: Vault): Promise<string | null> {
  const bytes = await bytesOf(join(environment.root, path), path);
  return bytes === null ? null : sha256(bytes);
}

async function stateOf({ path, name, kind }: VaultPath): Promise<FileState> {
  const bytes = kind === 'file' ? await bytesOf(path, name) : null;
  return { path: name, sha256: bytes === null ? null : sha256(bytes) };
}

/** What a file of a vault is known by after a step. */
export interface FileFacts {
  readonly path: string;
  /** SHA-256 of its bytes, in hex. */
  readonly etag: string;
  readonly mtimeMs: number;
}

/** Writes a file of a vault, whose content of before is kept. @throws RefusedCall CONFLICT */
export async function writeNote(
  file: VaultPath,
  before: Buffer | null,
  content: Buffer,
  call: FileCall,
  { environment }: Vault,
): Promise<FileFacts> {
  refuseLarge(content.length, file.within);
  refuseChanged(file.name, before, call);
  if (before !== null) await environment.keep(before);
  await makeFolder(dirname(file.path));
  if (!(await put(content, { ...file, before }, call)))
    throw new RefusedCall('CONFLICT', `${file.within} was changed meanwhile`);
  return factsOf(file, content);
}

/** Returns what a file is known by. */
export async function factsOf({ path, within }: VaultPath, content: Buffer): Promise<FileFacts> {
  return { path: within, etag: sha256(content), mtimeMs: Math.trunc((await stat(path)).mtimeMs) };
}

import type { JsonObject } from '../../kernel/json/json-value.js';
import { isJsonObject } from '../../kernel/json/json-value.js';
import type { RunLog } from '../run-log.js';
import type { FileState, Outcome, Tool, Toolbox } from '../tool.js';

/** The files that calls will overwrite, as they were when the run was prepared. */
export interface ExpectedFiles {
  /**
   * The files of a call that is to be made. A tool that checks them waits until other calls that check the same files
   * have ended.
   */
  of(tool: Tool, args: JsonObject): Promise<FilesOfCall>;
}

/** The files of one call. */
interface FilesOfCall {
  /**
   * How they must still be. What the run itself has written is as it has left it, and what was not known when it was
   * prepared is as it is.
   */
  readonly states: readonly FileState[];
  /** To be called when the call has ended, or is not made after all (null): where nothing was sent, nothing was written. */
  end(outcome: Outcome['outcome'] | null): void;
}

const NONE: FilesOfCall = { states: [], end: () => undefined };

/** Holds files that a run overwrites against what they were. */
export function expectedFiles(log: RunLog, toolbox: Toolbox): ExpectedFiles {
  const prepared = new Map(log.run.prepared.inputs.map(({ path, sha256 }) => [path, sha256]));
  const checked = new Map<string, Promise<void>>();
  const writing = new Map<string, number>();
  let written: Promise<Set<string>> | null = null;
  return {
    async of(tool, args) {
      if (prepared.size === 0 || tool.inputs === undefined) return NONE;
      const own = await (written ??= writtenBefore(log, toolbox));
      const paths = [...new Set((await tool.inputs(args)).map(({ path }) => path))];
      const release = tool.checksInputs === true ? await hold(checked, paths) : counted(writing, paths);
      return {
        states: paths.flatMap((path) => {
          const sha256 = prepared.get(path);
          return sha256 === undefined || own.has(path) || writing.has(path) ? [] : [{ path, sha256 }];
        }),
        end(outcome) {
          if (outcome !== null && outcome !== 'not_sent') for (const path of paths) own.add(path);
          release();
        },
      };
    },
  };
}

/** Waits until nobody holds any of some files, and holds them. @returns gives them back */
async function hold(held: Map<string, Promise<void>>, paths: readonly string[]): Promise<() => void> {
  for (;;) {
    const others = paths.flatMap((path) => held.get(path) ?? []);
    if (others.length === 0) break;
    await Promise.all(others);
  }
  let free: (() => void) | null = null;
  const isFree = new Promise<void>((resolve) => {
    free = resolve;
  });
  for (const path of paths) held.set(path, isFree);
  return () => {
    for (const path of paths) held.delete(path);
    free?.();
  };
}

/** Counts the calls that may write files at any time. @returns counts this one no more */
function counted(writing: Map<string, number>, paths: readonly string[]): () => void {
  const add = (path: string, more: number) => {
    const count = (writing.get(path) ?? 0) + more;
    if (count === 0) writing.delete(path);
    else writing.set(path, count);
  };
  for (const path of paths) add(path, 1);
  return () => {
    for (const path of paths) add(path, -1);
  };
}

function attemptOf({ step, attempt }: { readonly step: string; readonly attempt: number }): string {
  return JSON.stringify([step, attempt]);
}

/** What calls of executors before this one may have written. */
async function writtenBefore(log: RunLog, toolbox: Toolbox): Promise<Set<string>> {
  const paths = new Set<string>();
  const events = await log.events();
  const notSent = new Set(
    events.flatMap((event) =>
      event.type === 'attempt_ended' && event.outcome === 'not_sent' ? [attemptOf(event)] : [],
    ),
  );
  for (const event of events) {
    if (event.type !== 'attempt_started' || notSent.has(attemptOf(event))) continue;
    const tool = toolbox.tools.get(event.tool);
    const args = event.args ?? (event.args_file === undefined ? {} : await log.read(event.args_file));
    if (tool?.inputs === undefined || !isJsonObject(args)) continue;
    for (const { path } of await tool.inputs(args)) paths.add(path);
  }
  return paths;
}

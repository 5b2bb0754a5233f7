import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { RunEvent } from '../model/run-events.js';
import type { RunLog } from '../model/run-log.js';
import type { ExpectedFile, FileState, Outcome, Tool, Toolbox } from '../model/tool.js';

/** The files that calls will overwrite, as they must still be: as the run was prepared with them, asked about them, or has left them. */
export interface ExpectedFiles {
  /**
   * The files of a call that is to be made. A tool that checks them waits until other calls that check the same files
   * have ended.
   */
  of(tool: Tool, args: JsonObject): Promise<FilesOfCall>;
  /** Notes how files were when a person was asked about a call: those of which nothing else is known. */
  asked(files: readonly FileState[]): Promise<void>;
}

/** The files of one call. */
interface FilesOfCall {
  /** How they must still be. What nobody knew before this call is as it is. */
  readonly states: readonly ExpectedFile[];
  /** To be called when the call has ended, or is not made after all (null). */
  end(outcome: Outcome | null): void;
}

const NONE: FilesOfCall = { states: [], end: () => undefined };

type Intent = Extract<RunEvent, { readonly type: 'attempt_started' }>;

/** Files by their paths; one that is not there is as it is. */
type Known = Map<string, ExpectedFile>;

/** Holds files that a run overwrites against what they were. */
export function expectedFiles(log: RunLog, toolbox: Toolbox): ExpectedFiles {
  const checked = new Map<string, Promise<void>>();
  const writing = new Map<string, number>();
  let files: Promise<Known> | null = null;
  return {
    async of(tool, args) {
      if (tool.inputs === undefined) return NONE;
      const known = await (files ??= knownBefore(log, toolbox));
      const paths = await pathsOf(tool, args);
      const release = tool.checksInputs === true ? await hold(checked, paths) : counted(writing, paths);
      return {
        states: paths.flatMap((path) => (writing.has(path) ? [] : (known.get(path) ?? []))),
        end(outcome) {
          if (outcome !== null && outcome.outcome !== 'not_sent') learn(known, outcome.files, paths);
          release();
        },
      };
    },
    async asked(states) {
      noteAsked(await (files ??= knownBefore(log, toolbox)), states);
    },
  };
}

/** What was prepared or written stays known; of the rest the last question counts. */
function noteAsked(known: Known, files: readonly FileState[] = []): void {
  for (const { path, sha256 } of files)
    if ((known.get(path)?.since ?? 'asked') === 'asked') known.set(path, { path, sha256, since: 'asked' });
}

async function pathsOf(tool: Tool, args: JsonObject): Promise<readonly string[]> {
  return [...new Set(((await tool.inputs?.(args)) ?? []).map(({ path }) => path))];
}

/** What a call has left is known from now on; where it does not say it, nothing is known of all that it may have written. */
function learn(known: Known, left: readonly FileState[] | undefined, paths: readonly string[]): void {
  if (left === undefined) for (const path of paths) known.delete(path);
  for (const { path, sha256 } of left ?? []) known.set(path, { path, sha256, since: 'written' });
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

/** What is known when an executor begins: what the run was prepared with and asked about, and what executors before it have left. */
async function knownBefore(log: RunLog, toolbox: Toolbox): Promise<Known> {
  const known: Known = new Map(
    log.run.prepared.inputs.map(({ path, sha256 }) => [path, { path, sha256, since: 'prepared' }]),
  );
  const begun = new Map<string, Intent>();
  for (const event of await log.events()) {
    if (event.type === 'waiting') noteAsked(known, event.inputs);
    if (event.type === 'attempt_started') begun.set(attemptOf(event), event);
    if (event.type !== 'attempt_ended') continue;
    const intent = begun.get(attemptOf(event));
    begun.delete(attemptOf(event));
    if (event.outcome === 'not_sent') continue;
    learn(known, event.files, event.files === undefined ? await writtenBy(intent, { log, toolbox }) : []);
  }
  // Whoever made these was killed meanwhile.
  for (const intent of begun.values()) learn(known, undefined, await writtenBy(intent, { log, toolbox }));
  return known;
}

function attemptOf({ step, attempt }: { readonly step: string; readonly attempt: number }): string {
  return JSON.stringify([step, attempt]);
}

/** The files that an attempt may have written, by what it was called with. */
async function writtenBy(
  intent: Intent | undefined,
  { log, toolbox }: { readonly log: RunLog; readonly toolbox: Toolbox },
): Promise<readonly string[]> {
  const tool = intent === undefined ? undefined : toolbox.tools.get(intent.tool);
  if (intent === undefined || tool?.inputs === undefined) return [];
  const args = intent.args ?? (intent.args_file === undefined ? {} : await log.read(intent.args_file));
  return isJsonObject(args) ? pathsOf(tool, args) : [];
}

import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import type { Run } from '../model/run.js';
import type { RunSteps } from '../model/steps/run-step.js';
import type { Toolbox } from '../model/tool.js';
import { preflightRefusal } from './preflight.js';
import { usedTools } from './prepared-tools.js';

/**
 * The preflight check of tools: refuses those that are not those that were prepared, and says what of them has changed.
 * @throws PlanError E_TOOL_CHANGED
 */
export function refuseChangedTools(run: Run, steps: RunSteps, toolbox: Toolbox): void {
  const now = usedTools(steps, toolbox);
  const { tools, conditions = [], tools_digest } = run.prepared;
  refuseChanged(run, 'tool', tools, now.tools);
  refuseChanged(run, 'condition', conditions, now.conditions);
  if (now.tools_digest === tools_digest) return;
  throw changed(run, 'how the panes of a terminal are known is not what was approved', LOOK);
}

/** A tool or a condition, as a run stores it. */
interface Stored {
  readonly name: string;
  readonly effects?: string;
  readonly definition: string;
  readonly binding: JsonObject;
}

function refuseChanged(
  run: Run,
  kind: 'tool' | 'condition',
  prepared: readonly Stored[],
  now: readonly Stored[],
): void {
  const found = new Map(now.map((one) => [one.name, one]));
  for (const before of prepared) {
    const after = found.get(before.name);
    if (after === undefined) throw changed(run, `the ${kind} ${before.name} is gone`, LOOK);
    if (after.definition === before.definition && after.effects === before.effects) continue;
    const { files, members } = differences(before.binding, after.binding);
    if (files.length > 0 && members.length === 0)
      throw changed(
        run,
        `files that the command line of ${before.name} names have changed since it was prepared: ${files.join(', ')}`,
        `Look at it, and prepare it again. A file that ${before.name} itself writes is named under \`writes\` of its binding in the tools file.`,
      );
    const what = whatChanged(before, after, members);
    throw changed(run, `the ${kind} ${before.name} is not the one that was approved: ${what}`, LOOK);
  }
}

const LOOK = 'Prepare it again, and look at the tools.';

function changed(run: Run, message: string, hint: string) {
  return preflightRefusal('E_TOOL_CHANGED', run, message, hint);
}

/** What else than the files of its command line has changed. */
function whatChanged(before: Stored, after: Stored, members: readonly string[]): string {
  const parts = [
    ...(before.effects === after.effects
      ? []
      : [`its effects were ${before.effects ?? ''}, and are ${after.effects ?? ''} now`]),
    ...(members.length === 0 ? [] : [`its binding has other ${members.join(', ')}`]),
  ];
  return parts.length === 0
    ? 'its description, its annotations or the schema of its arguments has changed'
    : parts.join('; ');
}

/** Where two bindings differ. */
interface Differences {
  /** The files of command lines that hold something else, are new or gone. */
  readonly files: readonly string[];
  /** Other members, such as `env.PATH`. */
  readonly members: readonly string[];
}

function differences(before: JsonObject, after: JsonObject, path: readonly string[] = []): Differences {
  const found: Differences[] = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => {
    const [was, is] = [before[name], after[name]];
    if (isSame(was, is)) return { files: [], members: [] };
    if (name === 'program') return { files: changedFiles(was, is), members: [] };
    const at = [...path, name];
    return isJsonObject(was) && isJsonObject(is)
      ? differences(was, is, at)
      : { files: [], members: [at.join('.')] };
  });
  return { files: found.flatMap(({ files }) => files), members: found.flatMap(({ members }) => members) };
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
}

function changedFiles(before: JsonValue | undefined, after: JsonValue | undefined): readonly string[] {
  const [was, is] = [filesOf(before), filesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path));
}

/** The files of a program with what they held; of several together where an earlier version prepared the run. */
function filesOf(program: JsonValue | undefined): ReadonlyMap<string, unknown> {
  if (!isJsonObject(program)) return new Map();
  const { path, sha256, files } = program;
  return new Map(
    isJsonObject(files) ? Object.entries(files) : [[typeof path === 'string' ? path : '', sha256]],
  );
}

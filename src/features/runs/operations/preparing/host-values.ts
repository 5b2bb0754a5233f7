import { relative, resolve, sep } from 'node:path';

import type { ActionPlan } from '../../../actions/model/action-plan.js';
import { everyStep } from '../../../actions/model/action-plan.js';
import { realFolder } from '../../../../host/files/folders.js';
import { pathWithin } from '../../../../host/files/path-within.js';
import { readPlainFolder } from '../../../../host/files/plain-file.js';
import { readTextFile } from '../../../../host/files/text-files.js';
import { PlanError } from '../../../../kernel/errors.js';
import { isJsonObject, isJsonValue } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import { sha256 } from '../../../../kernel/sha256.js';
import { readYaml } from '../../../../kernel/yaml.js';
import { calledFile, readNamedFile } from '../../../../operations/shared/named-file.js';
import type { Context } from '../../../../operations/shared/context.js';
import { cannotBePrepared } from '../prepare-refusals.js';
import { parsePlace, selectedIn } from './text-places.js';
import type { TextPlace } from './text-places.js';

/** What whoever prepares a run says of where he is: values that plans name as `$vars.NAME`. */
export interface HostInput {
  readonly vars?: string | undefined;
  readonly var?: readonly string[] | undefined;
  readonly selection?: string | undefined;
  readonly cursor?: string | undefined;
  readonly activeFile?: string | undefined;
}

/** The largest file of values, and of a note, in bytes. */
const MOST_BYTES = 1024 * 1024;
const MOST_NOTE_BYTES = 10 * 1024 * 1024;
/** Most files that are listed. */
const MOST_FILES = 10_000;
const NAME = /^[A-Za-z_][\w-]*$/;

/**
 * Returns the values of the host that a plan may name: those that are given, and those that its `context_requests` ask for.
 * @throws PlanError INVALID_INPUT for a value that the plan has itself, that is given twice, or that nobody gives
 */
export async function hostValues(
  context: Context,
  input: HostInput,
  plan: ActionPlan,
  root: string,
): Promise<JsonObject> {
  const values = new Map<string, JsonValue>();
  const give = (name: string, value: JsonValue) => {
    if (!NAME.test(name)) throw wrong(`${JSON.stringify(name)} is not a name of a value`, NAMES);
    if (values.has(name)) throw wrong(`the value ${name} is given twice`, 'Give it once.');
    values.set(name, value);
  };
  for (const [name, value] of Object.entries(await fromFile(context, input.vars))) give(name, value);
  for (const one of input.var ?? []) {
    const at = one.indexOf('=');
    if (at < 1) throw wrong(`${JSON.stringify(one)} is not NAME=VALUE`, NAMES);
    give(one.slice(0, at), one.slice(at + 1));
  }
  for (const [name, value] of Object.entries(await fromEditor(input, root))) give(name, value);
  const taken = namesOf(plan);
  for (const name of values.keys())
    if (taken.has(name))
      throw wrong(`the plan itself has a value ${name}`, 'Give another name, or leave the value out.');
  await answerRequests(values, taken, plan, root);
  return Object.fromEntries(values);
}

const NAMES = 'A name has letters, digits, _ and -, as in --var folder=Notes.';

async function fromFile(context: Context, file: string | undefined): Promise<JsonObject> {
  if (file === undefined) return {};
  const read = readYaml(await readNamedFile(context, file, MOST_BYTES));
  if ('problem' in read)
    throw wrong(`${calledFile(file)}:${read.line}: ${read.problem}`, 'Correct the file.');
  if (isJsonObject(read.value) && isJsonValue(read.value)) return read.value;
  throw wrong(`${calledFile(file)} is not an object`, 'It holds names and their values, in JSON or YAML.');
}

/** Where somebody is in an editor: positions count from 0, as editors have them. */
async function fromEditor({ selection, cursor, activeFile }: HostInput, root: string): Promise<JsonObject> {
  const selected = selection === undefined ? null : await selectedAt(selection, '--selection', root);
  const at = cursor === undefined ? null : await selectedAt(cursor, '--cursor', root);
  const file = activeFile === undefined ? null : await noteOf(activeFile, root);
  const paths = new Set([selected?.path, at?.path, file?.path].filter((path) => path !== undefined));
  if (paths.size > 1) throw wrong(`${[...paths].join(' and ')} cannot be active at once`, 'Name one file.');
  const [activeFilePath] = paths;
  if (activeFilePath === undefined) return {};
  const position = at?.range.start ?? selected?.range.end;
  const { sha256: hash = '' } = at ?? selected ?? {};
  const where =
    position === undefined ? {} : { cursor: { filePath: activeFilePath, ...position, sha256: hash } };
  const what =
    selected === null
      ? {}
      : {
          selection: {
            text: selected.text,
            isEmpty: selected.text === '',
            filePath: selected.path,
            mode: 'source',
            range: { start: { ...selected.range.start }, end: { ...selected.range.end } },
            sha256: selected.sha256,
          },
        };
  return { activeFilePath, ...what, ...where };
}

async function selectedAt(place: string, option: '--selection' | '--cursor', root: string) {
  const parsed = parsePlace(place, option === '--selection');
  const note = await noteOf(parsed.file, root);
  return { ...note, ...selectedText(note.text, parsed, place) };
}

function selectedText(text: string, place: TextPlace, said: string) {
  const found = selectedIn(text, place);
  if (found !== null) return found;
  throw wrong(
    `${said} is not in the file`,
    'Lines and columns count from 1; an end is not before its beginning.',
  );
}

async function noteOf(name: string, root: string) {
  const path = await pathWithin(name, root, [root]);
  const text = await readTextFile(path, MOST_NOTE_BYTES, 'keep');
  return { path: relative(realFolder(root), path).split(sep).join('/'), text, sha256: sha256(text) };
}

/** The names that the plan gives values itself. */
function namesOf(plan: ActionPlan): ReadonlySet<string> {
  const names = new Set(Object.keys(plan.context ?? {}));
  for (const { step } of everyStep(plan)) {
    if (step.capture_as !== undefined) names.add(step.capture_as);
    for (const name of Object.keys(step.plan?.context ?? {})) names.add(name);
  }
  return names;
}

/** @throws PlanError INVALID_INPUT for a request that nothing answers */
async function answerRequests(
  values: Map<string, JsonValue>,
  taken: ReadonlySet<string>,
  plan: ActionPlan,
  root: string,
): Promise<void> {
  const plans = [plan, ...[...everyStep(plan)].flatMap(({ step }) => step.plan ?? [])];
  for (const { kind, options = {} } of plans.flatMap((one) => one.context_requests ?? [])) {
    if (values.has(kind) || taken.has(kind)) continue;
    if (kind === 'vaultFileList') values.set(kind, await filesBelow(root, options));
    else if (kind === 'workspaceContext' && values.has('activeFilePath')) values.set(kind, contextOf(values));
    else throw missing(kind);
  }
}

function contextOf(values: ReadonlyMap<string, JsonValue>): JsonObject {
  const names = ['activeFilePath', 'selection', 'cursor'];
  return Object.fromEntries(
    names.flatMap((name) => (values.has(name) ? [[name, values.get(name) ?? null]] : [])),
  );
}

const OPTIONS: Readonly<Record<string, string>> = {
  selection: '--selection FILE:LINE-LINE',
  cursor: '--cursor FILE:LINE:COLUMN',
  activeFilePath: '--active-file FILE',
  workspaceContext: '--active-file FILE',
};

function missing(kind: string): PlanError {
  const option = OPTIONS[kind] ?? `--var ${kind}=…, or --vars FILE`;
  return cannotBePrepared(
    [{ rule: 'MISSING_VALUE', message: `it asks for ${kind}, which nobody gives`, step: null }],
    `Nothing was prepared. Add ${option}.`,
  );
}

/** The files below a folder, hidden ones left out, in the order of their code units. */
async function filesBelow(root: string, { limit }: JsonObject): Promise<readonly string[]> {
  const files: string[] = [];
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const entry of await readPlainFolder(resolve(root, folder))) {
      if (entry.name.startsWith('.')) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile()) files.push(path);
    }
  // oxlint-disable-next-line unicorn/no-array-sort -- made here
  files.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const most = typeof limit === 'number' ? Math.min(limit, MOST_FILES) : MOST_FILES;
  if (files.length <= most || typeof limit === 'number') return files.slice(0, most);
  throw wrong(
    `vaultFileList would have ${files.length} files, and ${MOST_FILES} are the most`,
    'Prepare it in a smaller folder, give the list by --vars, or let the request say a `limit`.',
  );
}

function wrong(message: string, hint: string): PlanError {
  return new PlanError('INVALID_INPUT', message, { hint: { commandLine: hint } });
}

import { join } from 'node:path';
import * as z from 'zod';

import { writeTextFile } from '../../../host/files/text-files.js';
import { findHelper } from '../../../host/processes/find-helper.js';
import { PlanError } from '../../../kernel/errors.js';
import { isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { libraryOf } from '../../../operations/library.js';
import { defineOperation } from '../../../operations/operation.js';
import type { Context } from '../../../operations/shared/context.js';
import { field, text, texts } from '../../../operations/shared/fields.js';
import { withKits } from '../../actions/tools/kits.js';
import type { ToolsFile } from '../../actions/tools/read-tools-file.js';
import { unboundNames } from '../../runs/model/tools/needed-tools.js';
import type { NeededTools } from '../../runs/model/tools/needed-tools.js';
import { readToolsText } from '../../runs/operations/trust/trusted-tools-file.js';
import { runs } from '../../runs/registry.js';
import { kitNamed, readOptions } from '../shelf.js';
import { withKitInText } from './kit-in-file.js';
import { originsOfPlan, programsOfPlan } from './names-of-plan.js';

const addedSchema = z.object({
  file: z.string().describe('The tools file.'),
  kit: z.string(),
  added: z.array(z.string()).readonly().describe('The names of tools and conditions that the kit binds.'),
  unbound: z
    .array(z.string())
    .readonly()
    .describe('With --for: the names of tools and conditions of the plan that nothing binds.'),
  digest: z.string().describe('SHA-256 of what the tools file holds.'),
  trusted: z.boolean().describe('Whether plans may use its tools now.'),
});

const input = z.strictObject({
  kit: field(z.string(), 'the kit: vault, tmux, wezterm, browser, shell, git or http', { value: 'kit' }),
  root: text('vault: the folder of the notes, relative to the project', 'folder'),
  origins: texts('http, browser: where requests and pages may go, as https://example.org', 'origin', {
    flag: 'origin',
  }),
  programs: texts('shell: a program that may be run', 'program', { flag: 'allow' }),
  rules: text('tmux, wezterm: the file of rules that plans look for', 'file'),
  socket: text(
    'tmux: the socket of its server, a name or a path (default: default); wezterm: a path (default: your own)',
    'socket',
  ),
  chromium: text('browser: the path of Chromium (default: /usr/bin/chromium)', 'path'),
  for: text('take origins and programs from an action plan, and name what stays unbound', 'plan'),
  digest: text(
    'the beginning of the digest of the file as it is afterwards: trusts it without asking',
    'digest',
  ),
});

/**
 * Adds a kit to the tools file, and trusts the file where its digest is given.
 * @throws PlanError INVALID_INPUT for an unknown kit or options that it does not have, USAGE for a missing program, STORAGE_FAILED
 */
export const addKit = defineOperation({
  arguments: ['kit'],
  input,
  output: addedSchema,
  examples: ['plan tools add vault --root notes', 'plan tools add http --origin http://localhost:8124'],
  mutates: true,
  async run(context, given): Promise<z.output<typeof addedSchema>> {
    const kit = kitNamed(given.kit, 'plan tools add');
    refuseMissingPrograms(context, kit.name, kit.programs);
    const needed = given.for === undefined ? null : await neededBy(context, given.for);
    const file = await fileToChange(context);
    const { readToolsFile } = await import('../../actions/tools/read-tools-file.js');
    const before = file.text.trim() === '' ? null : readToolsFile(file.text, file.name);
    const options = mergedOptions(kit.name, before?.kits[kit.name], given, needed);
    readOptions(kit, options, 'plan tools add');
    const changed = withKitInText(file.text, kit.name, options, file.name);
    const after = await withKits(context, readToolsFile(changed, file.name), file.name);
    const path = file.path ?? (await newFile(context));
    if (changed !== file.text) await writeTextFile(path, changed, 'make');
    const trust = libraryOf(context, runs.operations).tools.trust;
    const { digest, trusted } = await trust(given.digest === undefined ? {} : { digest: given.digest });
    return {
      file: path,
      kit: kit.name,
      added: namesOfKit(after, kit.name),
      unbound: needed === null ? [] : allNames(unboundNames(needed.names, after)),
      digest,
      trusted,
    };
  },
  exitStatus: ({ trusted }) => (trusted ? 0 : 4),
});

async function fileToChange(context: Context) {
  try {
    return await readToolsText(context, undefined);
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code !== 'FILE_NOT_FOUND') throw thrown;
  }
  return { name: '.plans/tools.yaml', path: null, text: '' };
}

/** Makes the store where there is none. @returns where its tools file is to be */
async function newFile(context: Context): Promise<string> {
  await context.storeToWrite();
  const folder = context.storeFolder();
  if (folder === null)
    throw new PlanError('WRONG_STATE', 'plans are kept in memory here, where no tools file can be');
  return join(folder, 'tools.yaml');
}

function refuseMissingPrograms({ environment }: Context, kit: string, programs: readonly string[]): void {
  const { variables, workingFolder: folder } = environment;
  for (const program of programs)
    if (findHelper(program, { variables, folder }) === null)
      throw new PlanError('USAGE', `the kit ${kit} needs the program ${program}, which is not there`, {
        hint: [`Install ${program}, and see that it is on your PATH.`],
      });
}

/** What a plan says that a kit can be set up by. */
interface Needed {
  readonly names: NeededTools;
  readonly origins: readonly string[];
  readonly programs: readonly string[];
}

async function neededBy(context: Context, file: string): Promise<Needed> {
  const { readActionPlanFile } = await import('../../actions/operations/read-action-plan-file.js');
  const { neededTools } = await import('../../runs/model/tools/needed-tools.js');
  const { plan } = await readActionPlanFile(context, { file });
  return { names: neededTools(plan), origins: originsOfPlan(plan), programs: programsOfPlan(plan) };
}

function mergedOptions(
  kit: string,
  before: unknown,
  given: z.output<typeof input>,
  needed: Needed | null,
): JsonObject {
  const old = isJsonObject(before) ? before : {};
  const options: JsonObject = {
    ...old,
    ...(given.root === undefined ? {} : { root: given.root }),
    ...(given.rules === undefined ? {} : { rules: given.rules }),
    ...(given.chromium === undefined ? {} : { chromium: given.chromium }),
    ...(given.socket === undefined ? {} : { socket: given.socket }),
    ...lists(old, 'origins', [
      ...(given.origins ?? []),
      ...(kit === 'http' || kit === 'browser' ? (needed?.origins ?? []) : []),
    ]),
    ...lists(old, 'allow', [...(given.programs ?? []), ...(kit === 'shell' ? (needed?.programs ?? []) : [])]),
  };
  return options;
}

/** A list of options with what is new in it. */
function lists(old: JsonObject, name: string, more: readonly string[]): JsonObject {
  const before = old[name];
  const known = before !== undefined && isJsonList(before) ? before : [];
  return more.length === 0 ? {} : { [name]: [...new Set([...known, ...more])] };
}

function namesOfKit({ tools, checks }: ToolsFile, kit: string): readonly string[] {
  const isOfKit = (run: object | null) => run !== null && 'kit' in run && run.kit === kit;
  return [
    ...tools.filter(({ run }) => isOfKit(run)).map(({ name }) => name),
    ...[...checks].filter(([, check]) => isOfKit(check)).map(([type]) => type),
  ];
}

function allNames({ tools, conditions }: NeededTools): readonly string[] {
  return [...tools, ...conditions];
}

import { resolve } from 'node:path';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { shellWord } from '../../kernel/text/shell-word.js';
import { validatePlanFile } from '../../plan/invariants.js';
import type { Problem } from '../../plan/invariants.js';
import { fromLegacy, isLegacy, malformedDependencies } from '../../plan/snapshot/legacy.js';
import { repairPlanFile } from '../../plan/snapshot/repair.js';
import { repairsBetween } from '../../plan/snapshot/repaired.js';
import { summarySchema } from '../../plan/schema.js';
import type { PlanFile } from '../../plan/schema.js';
import { parseJsonText, refuseUnknownVersion } from '../../plan/snapshot/parse-plan.js';
import { isFolder, realFolder } from '../../host/files/folders.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { accountSchema } from './account.js';
import type { Account } from './account.js';
import { accountForPlanFile } from './account-for-plan-file.js';
import type { PlanToImport, ToolOfFile } from '../shared/hooks.js';
import { looksLike, otherToolError, toolOfText } from '../shared/other-tool.js';
import { field, toggle } from '../shared/fields.js';
import { fileWord, readGivenFile, refuseLeadingOut } from '../shared/named-file.js';
import { quantityOf } from '../../kernel/text/quantity-of.js';
import { summaryNow } from '../shared/summary-now.js';

/** A plan that was taken in. */
export const importedPlanSchema = summarySchema.extend({
  repaired: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('What of the plan was repaired, dropped or left out, in words.'),
});

type ImportedPlan = z.output<typeof importedPlanSchema>;

/**
 * Takes a plan file, of this format or of the legacy tool, into the store under its own id.
 * @throws PlanError FILE_NOT_FOUND, INVALID_PLAN with every problem, UNSUPPORTED_VERSION, PLAN_EXISTS, STORAGE_FAILED
 */
export const importPlan = defineOperation({
  arguments: ['file'],
  input: z.strictObject({
    file: field(
      z.string(),
      'a plan file, or the tasks of Task Master, beads, Backlog.md, GitHub, Spec Kit or OpenSpec, also as a folder; - reads standard input',
      { value: 'file' },
    ),
    dryRun: toggle('only say what it would make'),
    text: field(z.string().optional(), 'what such a file would hold', { textOf: 'file' }),
  }),
  output: z.object({
    plan: importedPlanSchema,
    account: accountSchema.optional().describe('What happened to each line of what was read.'),
    dry_run: z.literal(true).optional(),
  }),
  examples: [
    'plan import ../other/.plans/0398a958.json',
    'plan import .frctl/plans/a1b2c3d4.json',
    'plan import . --dry-run',
  ],
  mutates: true,
  async run(
    context,
    { file, text: given, dryRun },
  ): Promise<ImportedPlan & { readonly account?: Account; readonly dry_run?: true }> {
    const found = await readPlanToImport(context, file, given);
    const account = found.account === undefined ? {} : { account: found.account };
    if (dryRun !== true) return { ...(await storeImportedPlan(context, found)), ...account };
    const { createMemoryStore } = await import('../../storage/memory/memory-store.js');
    const store = createMemoryStore(context.stamp);
    const made = await storeImportedPlan({ ...context, storeToWrite: async () => store }, found);
    return { ...made, ...account, dry_run: true as const };
  },
  document: ({ dry_run, account, ...plan }) => ({
    plan,
    ...(account === undefined ? {} : { account }),
    ...(dry_run === true ? { dry_run } : {}),
  }),
});

/** What a file, a folder or standard input holds, whichever tool wrote it. */
async function readPlanToImport(
  context: Context,
  file: string,
  given: string | undefined,
): Promise<PlanToImport> {
  const { environment } = context;
  const path = resolve(environment.workingFolder, file);
  if (given === undefined) refuseLeadingOut(environment, file);
  const importer = context.features.find(({ importer: one }) => one !== undefined)?.importer;
  if (given === undefined && importer !== undefined && isFolder(path))
    // The user may name a folder behind links; below it none is followed.
    return importer.readFolder(context, realFolder(path));
  const text = given ?? (await readGivenFile(environment, file));
  const found = await importer?.readText(context, text);
  if (found != null) return found;
  const name = given === undefined ? file : 'standard input';
  const tool = await toolOfText(context, text);
  if (tool?.read === 'import' && tool.tool !== 'frctl') throw noTasks(name, tool);
  if (tool !== null && tool.tool !== 'frctl') throw otherToolError('INVALID_PLAN', name, tool);
  if (given === undefined && isMarkdown(file, text)) throw notForDocuments(file);
  return parsePlanToImport(text, name);
}

function noTasks(name: string, found: ToolOfFile): PlanError {
  return new PlanError('INVALID_PLAN', `${looksLike(name, found)}, and has no task that can be read`, {
    hint: { commandLine: `Each task needs an id or a number, and a title; deleted tasks are not read.` },
    details: { path: name, tool: found.tool },
  });
}

/** Whether a file is a document by its name, and by what it begins with. */
function isMarkdown(file: string, text: string): boolean {
  return !/^\s*[[{]/.test(text) && /\.(?:md|markdown|mdown|mkd|mdx|txt|text|todo)$/i.test(file);
}

function notForDocuments(file: string): PlanError {
  return new PlanError('INVALID_PLAN', `${file} is a document and no plan file`, {
    hint: {
      commandLine: `\`plan init --from ${shellWord(file)}\` makes a plan of its headings, lists and boxes.`,
    },
    details: { path: file },
  });
}

/**
 * Parses a plan file from elsewhere; what it reflects of a log there, and who planned it there, is left out. What the
 * planner of the legacy tool leaves wrong is repaired: divided goals marked complete, dependencies that cannot be.
 * @throws PlanError INVALID_PLAN with every problem, UNSUPPORTED_VERSION
 */
export function parsePlanToImport(text: string, path: string): PlanToImport {
  const parsed = parseJsonText(text);
  if ('problem' in parsed)
    throw new PlanError('INVALID_PLAN', `${path}: ${parsed.problem.message}`, {
      hint: { commandLine: 'A plan file is JSON. A Markdown document is for `plan init --from FILE`.' },
      details: { path },
    });
  if (Array.isArray(parsed.value)) throw noPlanInList(path, parsed.value.length);
  refuseUnknownVersion(parsed.value, path);
  const { file, problems, repaired } = readLegacyOrOwn(parsed.value);
  const [first] = problems;
  if (file === null || first !== undefined) {
    throw new PlanError(
      'INVALID_PLAN',
      `${path} is not a valid plan: ${first?.message ?? ''} at ${first?.path ?? '$'}`,
      {
        hint: { commandLine: `\`plan validate ${fileWord(path)}\` lists every problem.` },
        details: { path, problems: problems.slice(0, 50) },
      },
    );
  }
  const { log: _elsewhere, crc: _checked, run: _ended, ...plan } = file;
  return { plan, repaired, account: accountForPlanFile({ name: path, text }, parsed.value, plan) };
}

function noPlanInList(path: string, length: number): PlanError {
  if (length === 0)
    return new PlanError('INVALID_PLAN', `${path} is an empty list, with no task to import`, {
      details: { path },
    });
  return new PlanError('INVALID_PLAN', `${path} is a list, but of no tasks that an import knows`, {
    hint: ['A plan file is an object; in a list of issues each needs a number and a title.'],
    details: { path },
  });
}

/** Reads a plan file of either tool for its import, with what was wrong with it and what of that was repaired. */
export function readLegacyOrOwn(value: unknown): {
  readonly file: PlanFile | null;
  readonly problems: readonly Problem[];
  readonly repaired: readonly string[];
} {
  const { file, problems } = validatePlanFile(fromLegacy(value));
  const malformed = isLegacy(value) ? malformedDependencies(value) : 0;
  const dropped =
    malformed === 0 ? [] : [`dependencies of ${quantityOf(malformed, 'goal')} on what is no goal dropped`];
  if (file === null || problems.length === 0 || !isLegacy(value))
    return { file, problems, repaired: dropped };
  // A goal of another plan, or under another key than its id, is no slip of the planner's.
  const mended = problems.every(({ code }) => REPAIRED.has(code)) ? repairPlanFile(file) : null;
  if (mended === null) return { file, problems, repaired: [] };
  return { file: mended, problems: [], repaired: [...repairsBetween(file, mended), ...dropped] };
}

const REPAIRED = new Set([
  'COMPLETE_TOO_EARLY',
  'STATUS_WITH_CHILDREN',
  'DANGLING_DEPENDENCY',
  'DEPENDS_ON_RELATIVE',
  'DEPENDENCY_CYCLE',
]);

/** Stores the plan of an imported plan file. */
export async function storeImportedPlan(
  context: Context,
  { plan, repaired }: PlanToImport,
  isArchived = false,
): Promise<ImportedPlan> {
  const store = await context.storeToWrite();
  const log = await store.create(
    { type: 'plan_imported', plan },
    isArchived ? [{ type: 'plan_archived' }] : [],
  );
  await log.publish('now');
  if (!isArchived) await context.noteChanged(log.plan.header.id);
  return { ...summaryNow(context, log.plan), ...(repaired.length === 0 ? {} : { repaired }) };
}

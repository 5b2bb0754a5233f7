import { join, resolve } from 'node:path';

import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { looksLikePlan } from '../../../plan/snapshot/legacy.js';
import { realFolder } from '../../../host/files/folders.js';
import { parseJsonText } from '../../../plan/snapshot/parse-plan.js';
import { fileNames, readStoredText } from '../../../host/files/text-files.js';
import { defineOperation } from '../../../operations/operation.js';
import type { Context } from '../../../operations/shared/context.js';
import { text } from '../../../operations/shared/fields.js';
import {
  importedPlanSchema,
  parsePlanToImport,
  storeImportedPlan,
} from '../../../operations/maintenance/import-plan.js';
import { accountSchema } from '../../../operations/maintenance/account.js';
import type { Account } from '../../../operations/maintenance/account.js';
import type { PlanToImport } from '../../../operations/shared/hooks.js';

/** Where the legacy tool kept its plans. */
const LEGACY_FOLDER = join('.frctl', 'plans');

const migrationSchema = z.object({
  plans: z.array(importedPlanSchema).readonly(),
  kept: z
    .array(z.string())
    .readonly()
    .describe(
      'Files that are no plans, or could not be read as such, or are further copies of one: their copies in the store’s `backup/legacy/`.',
    ),
  skipped: z.array(z.string()).readonly().describe('Plans that were there already.'),
  problems: z.array(z.object({ file: z.string(), code: z.string(), message: z.string() })).readonly(),
  account: accountSchema.describe('What happened to each line of the plans that were taken in.'),
});

type Migration = z.output<typeof migrationSchema>;

/**
 * Takes every plan of the legacy tool into the store, whatever its file is called; those of its `archive/` become archived
 * plans. Of several files of one plan the one named after it counts, then the one written last. What is no plan (its index,
 * its hidden backups), and what cannot be read as one, is copied, so that nothing is lost; the legacy folder is left as it is.
 * @throws PlanError FILE_NOT_FOUND when there is nothing to migrate, STORAGE_FAILED
 */
export const migratePlans = defineOperation({
  arguments: ['folder'],
  input: z.strictObject({ folder: text('where they are (default: .frctl/plans)', 'folder') }),
  output: migrationSchema,
  examples: ['plan migrate', 'plan migrate ../old/.frctl/plans --json'],
  mutates: true,
  run: async (context, { folder }) => migrate(context, folder),
  exitStatus: ({ problems }) => (problems.length === 0 ? 0 : 1),
});

async function migrate(context: Context, folder: string | undefined): Promise<Migration> {
  const place = folder ?? LEGACY_FOLDER;
  // The legacy folder came with the repository: what its path leads to must be in the folder that the user is in.
  const { workingFolder } = context.environment;
  const legacy =
    folder === undefined
      ? join(realFolder(workingFolder), LEGACY_FOLDER)
      : realFolder(resolve(workingFolder, folder));
  const files = await legacyFiles(legacy);
  if (files.length === 0) {
    throw new PlanError('FILE_NOT_FOUND', `there is no plan in ${place}`, {
      hint: { commandLine: '`plan migrate FOLDER` looks in another folder.' },
    });
  }
  const store = await context.storeToWrite();
  const there = new Set(await store.ids());
  const found = await Promise.all(files.map((file) => readLegacyFile(file)));
  const plans: Migration['plans'][number][] = [];
  const [kept, skipped, taken] = [[] as string[], new Set<string>(), new Set<string>()];
  const problems: { file: string; code: string; message: string }[] = [];
  const accounts: Account[] = [];
  for (const { file, id, read, problem } of byPreference(found)) {
    if (problem !== null) problems.push({ file: file.path, ...problem });
    if (id !== null && there.has(id)) skipped.add(id);
    else if (id !== null && read !== null && !taken.has(id)) {
      taken.add(id);
      const better = found.find((other) => other.problem !== null && isPreferredTo(other.file, file, id));
      if (better !== undefined)
        problems.push({
          file: file.path,
          code: 'INVALID_PLAN',
          message: `plan ${id} is taken from ${file.path}, since ${better.file.path} cannot be read`,
        });
      plans.push(await storeImportedPlan(context, read, file.isArchived));
      if (read.account !== undefined) accounts.push(read.account);
    } else {
      if (id !== null && taken.has(id) && file.namedAfter !== null && file.namedAfter !== id)
        problems.push({
          file: file.path,
          code: 'INVALID_PLAN',
          message: `${file.path} is another copy of plan ${id}`,
        });
      for (const each of await keep(context, file.path)) kept.push(each);
    }
  }
  return {
    plans: plans.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    kept: kept.toSorted(),
    skipped: [...skipped].toSorted(),
    problems,
    account: {
      files: accounts.flatMap(({ files: each }) => each),
      left_out: accounts.flatMap(({ left_out }) => left_out),
      changed: accounts.flatMap(({ changed: each }) => each),
    },
  };
}

interface LegacyFile {
  readonly path: string;
  readonly isArchived: boolean;
  /** The plan id that its name is; null for any other name. */
  readonly namedAfter: string | null;
  /** Whether it may be a plan by its name. */
  readonly mayBePlan: boolean;
}

/** The files of the legacy folder and of its archive, by name. */
async function legacyFiles(folder: string): Promise<readonly LegacyFile[]> {
  const archive = join(folder, 'archive');
  const all = [
    ...(await fileNames(folder)).map((name) => ({
      name,
      path: join(folder, name),
      isArchived: false,
    })),
    ...(await fileNames(archive)).map((name) => ({
      name,
      path: join(archive, name),
      isArchived: true,
    })),
  ];
  return all.map(({ name, path, isArchived }) => ({
    path,
    isArchived,
    namedAfter: /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? null,
    mayBePlan: /^[^.].*\.json$/i.test(name) && name !== 'index.json',
  }));
}

interface ReadLegacyFile {
  readonly file: LegacyFile;
  /** The id of the plan that it holds. */
  readonly id: string | null;
  readonly read: PlanToImport | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** Reads a file; what has not the shape of a plan, and no name of one, is none, and that is no problem. */
async function readLegacyFile(file: LegacyFile): Promise<ReadLegacyFile> {
  const none = { file, id: null, read: null, problem: null };
  if (!file.mayBePlan) return none;
  try {
    const text = await readStoredText(file.path);
    if (file.namedAfter === null && !isPlanText(text)) return none;
    const read = parsePlanToImport(text, file.path);
    return { file, id: read.plan.id, read, problem: null };
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code === 'STORAGE_FAILED') throw thrown;
    return { ...none, problem: { code: thrown.code, message: thrown.message } };
  }
}

function isPlanText(text: string): boolean {
  const parsed = parseJsonText(text);
  return !('problem' in parsed) && looksLikePlan(parsed.value);
}

/** Active plans before archived ones, files named after their plan before others, and of those the one changed last. */
function byPreference(files: readonly ReadLegacyFile[]): readonly ReadLegacyFile[] {
  return files.toSorted(
    (a, b) =>
      rankOf(a.file, a.id) - rankOf(b.file, b.id) ||
      changed(b) - changed(a) ||
      (a.file.path < b.file.path ? -1 : 1),
  );
}

function rankOf({ isArchived, namedAfter }: LegacyFile, id: string | null): number {
  return (isArchived ? 2 : 0) + (namedAfter !== null && namedAfter === id ? 0 : 1);
}

/** Whether a file is the one of a plan by its name, and comes before another that is of that plan too. */
function isPreferredTo(file: LegacyFile, other: LegacyFile, id: string): boolean {
  return file.namedAfter === id && rankOf(file, id) < rankOf(other, id);
}

function changed({ read }: ReadLegacyFile): number {
  return read === null ? 0 : Date.parse(read.plan.updated_at);
}

async function keep(context: Context, path: string): Promise<readonly string[]> {
  const kept = await (await context.maintenance()).keepCopy(path, 'legacy');
  return kept === null ? [] : [kept];
}

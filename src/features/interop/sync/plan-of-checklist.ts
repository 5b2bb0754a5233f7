import { resolve } from 'node:path';

import { PlanError } from '../../../kernel/errors.js';
import { joinHints } from '../../../kernel/hint.js';
import { sha256 } from '../../../kernel/sha256.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import { goalSuffix } from '../../../plan/ids.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Checklist } from '../checklists/checklist.js';
import { flattenItems } from '../checklists/nested-item.js';
import { realFolder } from '../../../host/files/folders.js';
import type { Context } from '../../../operations/shared/context.js';
import { currentPlan, findPlan } from '../../../operations/shared/find-plan.js';
import { planToChange } from '../../../operations/shared/find-to-change.js';

/** A checklist, and the plan that a command names. */
interface ChecklistToSync {
  /** As it was named. */
  readonly file: string;
  readonly path: string;
  readonly plan: string | undefined;
  /** What it holds; null where it is to be made. */
  readonly read: Checklist | null;
}

/**
 * The plan that a checklist is brought in step with: the one named, else that of the mark in it, else the one that is meant
 * anyway. A list of somebody's own is not put into a plan that is meant only because it was changed last.
 * @throws PlanError AMBIGUOUS_NAME for such a list, and what finding a plan throws
 */
export async function planOfChecklist(
  context: Context,
  { file, path, plan, read }: ChecklistToSync,
): Promise<PlanLog> {
  const named = plan ?? read?.plan ?? undefined;
  if (named !== undefined || read === null || flattenItems(read).length === 0)
    return planToChange(context, named);
  const id = await planMeantBy(context, { file, path, read });
  return planToChange(context, id);
}

type OwnList = Pick<ChecklistToSync, 'file' | 'path'> & { readonly read: Checklist };

async function planMeantBy(context: Context, list: OwnList): Promise<string> {
  const word = shellWord(list.file);
  const { id, because } = await currentPlan(context, 'change').catch((thrown: unknown) => {
    throw thrown instanceof PlanError ? withInitHint(thrown, word) : thrown;
  });
  if (because !== 'changed_last' || (await isOf(context, await findPlan(context, id), list))) return id;
  throw new PlanError(
    'AMBIGUOUS_NAME',
    `${list.path} does not say which plan its lines belong to, and no plan is named; nothing was changed`,
    {
      hint: {
        commandLine: `\`plan sync ${word} --plan ${id}\` syncs it with that plan, \`plan init --from ${word}\` makes a new plan from it.`,
      },
      details: { path: list.path, plan: id },
    },
  );
}

/** Whether a list is of a plan: that was made from it, it names goals of it, or both were brought in step before. */
async function isOf(context: Context, { plan }: PlanLog, { path, read }: OwnList): Promise<boolean> {
  const folders = foldersOf(context);
  const goals = [...plan.goals.values()];
  if (goals.some(({ id }) => read.named.has(goalSuffix(id)))) return true;
  if (goals.some(({ source }) => source !== undefined && isAt(path, source.file, folders))) return true;
  const documents = await context.documents();
  return ((await documents?.checklists.read(baselineKey(plan.header.id, path))) ?? null) !== null;
}

function isAt(path: string, name: string, folders: readonly string[]): boolean {
  return folders.some((folder) => resolve(folder, name) === path);
}

/** Where there is no plan that could be meant, one can be made of the list. */
function withInitHint(thrown: PlanError, word: string): PlanError {
  const { code, message, hintParts, details, cause } = thrown;
  if (code !== 'PLAN_NOT_FOUND' && code !== 'STORE_NOT_FOUND') return thrown;
  const hint = joinHints(
    { commandLine: `\`plan init --from ${word}\` makes a plan from its lines.` },
    hintParts,
  );
  return new PlanError(code, message, { ...(hint === undefined ? {} : { hint }), details, cause });
}

/** The folders that the names of documents may start from: where the command runs, and where the store is. */
export function foldersOf(context: Context): readonly string[] {
  const project = context.projectFolder();
  return [context.environment.workingFolder, ...(project === null ? [] : [project])].map(realFolder);
}

/** The name under which is kept what a plan and a file said last. */
export function baselineKey(plan: string, path: string): string {
  return `${plan}-${sha256(path).slice(0, 16)}`;
}

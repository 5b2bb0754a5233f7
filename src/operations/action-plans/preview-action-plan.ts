import { resolve } from 'node:path';

import { DIALECT_NAMES } from '../../action-plans/dialect.js';
import type { DialectName } from '../../action-plans/dialect.js';
import { frctl } from '../../action-plans/dialects/frctl.js';
import type { JsonObject } from '../../kernel/json/json-value.js';
import { previewText } from '../../action-plans/preview.js';
import type { PreviewDetail } from '../../action-plans/preview.js';
import { readActionPlan } from '../../action-plans/read-action-plan.js';
import { redactedDocument } from '../../action-plans/redact.js';
import { PlanError } from '../../kernel/errors.js';
import { ACTION_PLAN_ID_PATTERN } from '../../plan/ids.js';
import { readActionPlanText } from '../../storage/file/action-plan-files.js';
import { readTextFile } from '../../host/files/text-files.js';
import type { Context } from '../shared/context.js';

export interface PreviewOptions {
  readonly detail?: PreviewDetail | undefined;
  /** How `text` is written: for people, or as TOON for a model. */
  readonly format?: 'text' | 'toon' | undefined;
  /** The dialect; found by the shape of the document when it is left out. */
  readonly dialect?: string | undefined;
  /** What `-` reads. */
  readonly standardInput?: (() => Promise<string>) | undefined;
}

export interface PreviewReport {
  /** As it was named. */
  readonly file: string;
  readonly dialect: DialectName;
  /** The plan in frctl's own form, its secrets left out. */
  readonly action_plan: JsonObject;
  readonly text: string;
}

/**
 * What a person sees of an action plan of any dialect before it runs.
 * @param name the id of a stored action plan, a path, or `-`
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT with line and column, UNSUPPORTED_VERSION, STORE_NOT_FOUND
 */
export async function previewActionPlan(
  context: Context,
  name: string,
  { detail, format, dialect, standardInput }: PreviewOptions,
): Promise<PreviewReport> {
  const text = await textOf(context, name, standardInput);
  const read = readActionPlan(text, { format: dialectNamed(dialect) });
  const action_plan = redactedDocument(frctl.write(read.plan, null));
  return {
    file: name,
    dialect: read.dialect,
    action_plan,
    text: format === 'toon' ? await toonOf(action_plan) : previewText(read.plan, detail),
  };
}

async function textOf(
  context: Context,
  name: string,
  standardInput: PreviewOptions['standardInput'],
): Promise<string> {
  if (name === '-' && standardInput !== undefined) return standardInput();
  if (!ACTION_PLAN_ID_PATTERN.test(name))
    return readTextFile(resolve(context.environment.workingFolder, name));
  const folder = context.storeFolder();
  if (folder === null) throw new PlanError('STORE_NOT_FOUND', `there is no store that could hold ${name}`);
  return readActionPlanText(folder, name);
}

/** The dialect of a name. @throws PlanError INVALID_INPUT */
function dialectNamed(name: string | undefined): DialectName | undefined {
  const found = DIALECT_NAMES.find((dialect) => dialect === name);
  if (found !== undefined || name === undefined) return found;
  throw new PlanError('INVALID_INPUT', `there is no dialect ${JSON.stringify(name.slice(0, 40))}`, {
    hint: `Dialects are ${DIALECT_NAMES.join(', ')}.`,
  });
}

async function toonOf(plan: JsonObject): Promise<string> {
  const { encode } = await import('@toon-format/toon');
  const { printable } = await import('../../kernel/text/safe-text.js');
  return `${printable(encode(JSON.parse(JSON.stringify(plan))))}\n`;
}

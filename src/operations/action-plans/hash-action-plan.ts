import { digestText, planDigest } from '../../action-plans/content-hash.js';
import type { DialectName } from '../../action-plans/dialect.js';
import { waIdentity } from '../../action-plans/wa/wa-identity.js';
import type { WaIdentity } from '../../action-plans/wa/wa-identity.js';
import type { Context } from '../shared/context.js';
import { readActionPlanFile } from './read-action-plan-file.js';
import type { ActionPlanSource } from './read-action-plan-file.js';

/** What identifies an action plan. */
export interface ActionPlanHash {
  readonly dialect: DialectName;
  /** frctl's own digest, of any dialect's plan. */
  readonly digest: string;
  /** The text that the digest is made of, where it was asked for. */
  readonly digest_text?: string;
  /** wa's ids; null for a plan of another dialect. */
  readonly wa: WaIdentity | null;
}

export interface HashOptions extends ActionPlanSource {
  /** Whether the text that the digest is made of is wanted. */
  readonly canonical?: boolean | undefined;
}

/**
 * The digest of an action plan and, of wa's plans, wa's ids: made anew, and held against those in the file.
 * @throws PlanError as {@link readActionPlanFile}
 */
export async function hashActionPlan(context: Context, options: HashOptions): Promise<ActionPlanHash> {
  const read = await readActionPlanFile(context, options);
  const node = read.document.at(read.body) ?? read.document.root;
  return {
    dialect: read.dialect,
    digest: planDigest(read.plan, read.dialect),
    ...(options.canonical === true ? { digest_text: digestText(read.plan, read.dialect) } : {}),
    wa: read.dialect === 'wa' ? waIdentity(node, read.body) : null,
  };
}

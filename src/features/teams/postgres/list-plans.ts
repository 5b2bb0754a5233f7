import { messageOf, PlanError } from '../../../kernel/errors.js';
import { isArchived } from '../../../plan/archived.js';
import type { Summary } from '../../../plan/schema.js';
import { isSummary } from '../../../storage/log/summary-shape.js';
import type { Listing, PlanStore, StoreProblem } from '../../../storage/plan-store.js';
import type { Database } from './database.js';

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly shelf: string;
  readonly seq: string;
  readonly summary: string;
}

/** Summaries of all plans; those of which something was written since their summary are opened. */
export async function listPlans(
  database: Database,
  store: Pick<PlanStore, 'open' | 'location'>,
  which: 'active' | 'archived',
): Promise<Listing> {
  const { rows } = await database.query<Row>(
    'select id, shelf, seq::text, summary::text from frctl_plan order by id',
  );
  const plans: Summary[] = [];
  const problems: StoreProblem[] = [];
  for (const row of rows) {
    const read = keptSummary(row) ?? (await madeSummary(store, row.id));
    const inArchive = row.shelf === 'archive';
    const archived = isProblem(read) ? inArchive : isArchived(read.archived_at, inArchive);
    if (archived !== (which === 'archived')) continue;
    if (isProblem(read)) problems.push(read);
    else plans.push(read);
  }
  return {
    plans: plans.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at)),
    problems,
    // When a plan was last changed stands in what cannot be read of it.
    perhapsNewest: problems,
  };
}

/** A summary keeps members that this version does not know, of whatever name. */
function isProblem(read: Summary | StoreProblem): read is StoreProblem {
  return 'file' in read && 'code' in read && !('updated_at' in read);
}

function keptSummary({ id, seq, summary: text }: Row): Summary | null {
  const kept: unknown = JSON.parse(text);
  if (typeof kept !== 'object' || kept === null || !('seq' in kept) || !('summary' in kept)) return null;
  const { summary } = kept;
  return kept.seq === Number(seq) && isSummary(summary) && summary.id === id ? summary : null;
}

/** Opens a plan for its summary, and keeps that for the next time. */
async function madeSummary(
  store: Pick<PlanStore, 'open' | 'location'>,
  id: string,
): Promise<Summary | StoreProblem> {
  try {
    const { summarize } = await import('../../../plan/plan.js');
    const log = await store.open(id);
    await log.publish('when_due').catch(() => false);
    return summarize(log.plan);
  } catch (thrown) {
    const code = thrown instanceof PlanError ? thrown.code : 'STORE_DAMAGED';
    // Without the database no plan can be read.
    if (code === 'STORAGE_FAILED') throw thrown;
    return { file: `${store.location}: plan ${id}`, code, path: '$', message: messageOf(thrown) };
  }
}

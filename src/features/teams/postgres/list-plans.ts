import type { QueryResultRow } from 'pg';

import { messageOf, PlanError } from '../../../kernel/errors.js';
import { parseOrNull } from '../../../kernel/json/parse-or-null.js';
import { isArchived } from '../../../plan/archived.js';
import { PLAN_ID_PATTERN } from '../../../plan/ids.js';
import type { KeptSummary } from '../../../plan/schema.js';
import { isSummary, SUMMARY_KIND } from '../../../storage/log/summary-shape.js';
import type { Listing, PlanStore, StoreProblem } from '../../../storage/plan-store.js';
import { readBoundedPages } from './bounded-rows.js';
import type { BoundedRow } from './bounded-rows.js';
import type { Database } from './database.js';
import { PLAN_EVENTS, strayLog } from './event-table.js';

interface Row extends BoundedRow, QueryResultRow {
  readonly id: string;
  readonly shelved: boolean;
  readonly seq: number;
}

/** SQL for whether a summary is as short as any, known without unpacking it; of one that is longer the plan is opened. */
const IS_SHORT = 'pg_column_size(summary) <= 32768';

/** Summaries of all plans; those of which something was written since their summary are opened. */
export async function listPlans(
  database: Database,
  store: Pick<PlanStore, 'open' | 'location'>,
  which: 'active' | 'archived',
): Promise<Listing> {
  const pages = readBoundedPages<Row>(database, {
    columns: 'id, shelved, seq::float8',
    order: 'id',
    from: (
      limit,
    ) => `select id, shelf = 'archive' as shelved, seq, case when ${IS_SHORT} then summary end as body,
      case when ${IS_SHORT} then octet_length(summary::text) else 0 end as size
      from frctl_plan where id > $1 order by id limit ${limit}`,
    values: (last) => [last?.id ?? ''],
    name: 'frctl list plans',
  });
  const plans: KeptSummary[] = [];
  const problems: StoreProblem[] = [];
  for await (const page of pages)
    for (const row of page) {
      const read = keptSummary(row) ?? (await madeSummary(store, row.id));
      const archived = isProblem(read) ? row.shelved : isArchived(read.archived_at, row.shelved);
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
function isProblem(read: KeptSummary | StoreProblem): read is StoreProblem {
  return 'file' in read && 'code' in read && !('updated_at' in read);
}

/** The summary that was kept; null where it is older than the plan, or is none that this program has written. */
function keptSummary({ id, seq, body }: Row): KeptSummary | null {
  const kept: unknown = parseOrNull(body ?? '');
  if (typeof kept !== 'object' || kept === null || !('seq' in kept) || !('summary' in kept)) return null;
  const { summary } = kept;
  const isOurs = kept.seq === seq && 'kind' in kept && kept.kind === SUMMARY_KIND;
  return isOurs && isSummary(summary) && summary.id === id ? summary : null;
}

/** Opens a plan for its summary, and keeps that for the next time. */
async function madeSummary(
  store: Pick<PlanStore, 'open' | 'location'>,
  id: string,
): Promise<KeptSummary | StoreProblem> {
  if (!PLAN_ID_PATTERN.test(id))
    return { file: store.location, code: 'STORE_DAMAGED', path: '$', message: strayLog(PLAN_EVENTS, id) };
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

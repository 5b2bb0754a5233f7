import type { Context } from '../../../operations/shared/context.js';
import { findPlanId, readPlan } from '../../../operations/shared/find-plan.js';
import { planLog } from '../../../operations/reading/change-log.js';
import { feedEntry } from './log-feed.js';
import type { FeedEntry } from './log-feed.js';

/** A page of a plan's log, the newest entry first. */
export interface LogPage {
  readonly events: readonly (FeedEntry & { readonly refused: string | null })[];
  /** What to ask for the entries before these with; null when there are none. */
  readonly before: number | null;
  /** Whether it is known which entries were refused: only of a log that is short enough to be read as a whole. */
  readonly checked: boolean;
}

const PAGE = 200;
/** A log of so many events is told as a whole, as `plan log` does. */
const MOST_REPLAYED = 1000;

/**
 * The log of a plan; of a long one the last entries, or those before them, in the same time however long it is.
 * @param before what the page before said
 * @throws PlanError PLAN_NOT_FOUND, STORAGE_FAILED
 */
export async function pageOfLog(
  context: Context,
  name: string,
  before: number | undefined,
): Promise<LogPage> {
  const store = context.store();
  const id = await findPlanId(context, name);
  const last = await store.recentEvents(id, { count: MOST_REPLAYED });
  if (last.before === null) return wholeLog(context, id);
  const plan = await readPlan(context, id);
  const page = await store.recentEvents(id, { count: PAGE, before });
  const seen = new Set<string>();
  const once = page.events.filter((event) => !seen.has(event.id) && seen.add(event.id));
  const events = once.toReversed().map((event) => ({ ...feedEntry(event, plan), refused: null }));
  return { events, before: page.before, checked: false };
}

async function wholeLog(context: Context, id: string): Promise<LogPage> {
  const entries = await planLog.run({ ...context, emit: () => undefined }, { plan: id });
  const events = entries.toReversed().map(({ goals, ...entry }) => ({ ...entry, goal: goals[0] ?? null }));
  return { events, before: null, checked: true };
}

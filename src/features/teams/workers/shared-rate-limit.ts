import type { Database } from '../postgres/database.js';
import { isOutOfReach } from '../postgres/database-errors.js';
import type { SharedRateLimit, SharedLimits } from '../team.js';
import { MODEL_CHANNEL } from './model-backoff.js';

/** How long to wait before asking again for a slot that others have. */
const AGAIN_MS = 50;
/** The same while the database cannot be reached, after it was tried for a while. */
const AWAY_MS = 1000;
const MINUTE_S = 60;

/**
 * How all workers ask one model: a row that says until when nobody may, how many requests are under way, and how many
 * of a minute's are left. Every time is the database's, so that clocks which differ do no harm.
 * @param closed until when this process has heard that the model is closed, by `performance.now()`
 */
export function sharedRateLimitOf(
  database: Database,
  model: string,
  { concurrency, requestsPerMinute }: SharedLimits,
  own: { readonly process: () => string; readonly closed: Map<string, number> },
): SharedRateLimit {
  const isLimited = concurrency !== undefined || requestsPerMinute !== undefined;
  const closedFor = () => Math.max(0, (own.closed.get(model) ?? 0) - performance.now());
  return {
    closedFor,
    async enter(id) {
      const closed = closedFor();
      if (closed > 0 || !isLimited) return closed;
      const values = [model, id, own.process(), concurrency ?? null, requestsPerMinute ?? null];
      try {
        const { rows } = await database.query<{ entered: boolean; wait: number }>(ENTER, values);
        const [answer] = rows;
        if (answer === undefined || answer.entered) return answer === undefined ? AGAIN_MS : 0;
        return Math.max(AGAIN_MS, answer.wait);
      } catch (cause) {
        if (isOutOfReach(cause)) return AWAY_MS;
        throw cause;
      }
    },
    async leave(id) {
      return !isLimited || reached(database.query(LEAVE, [id]));
    },
    async close(waitMs) {
      own.closed.set(model, Math.max(own.closed.get(model) ?? 0, performance.now() + waitMs));
      await reached(database.query(CLOSE, [model, waitMs]));
    },
  };
}

/** Whether the database was reached. @throws what it refuses */
async function reached(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (cause) {
    if (isOutOfReach(cause)) return false;
    throw cause;
  }
}

/** How many requests of a minute are there again. */
const FILLED = `least($5::float8, requests + extract(epoch from clock_timestamp() - filled_at) * $5::float8 / ${MINUTE_S})`;

const ENTER = `
with row as (
  insert into frctl_model (model, requests) values ($1, coalesce($5::float8, 0)) on conflict do nothing),
entered as (
  update frctl_model set under_way = under_way + 1, filled_at = clock_timestamp(), requests = coalesce(${FILLED} - 1, 0)
  where model = $1 and closed_until <= clock_timestamp() and not exists (select from frctl_request where id = $2)
    and under_way < coalesce($4::int, 2147483647) and coalesce(${FILLED}, 1) >= 1
  returning 1),
noted as (insert into frctl_request (id, process, model) select $2, $3, $1 from entered returning 1)
select exists (select from noted) or exists (select from frctl_request where id = $2) as entered,
  greatest(extract(epoch from closed_until - clock_timestamp()) * 1000,
    case when ${FILLED} < 1 then (1 - ${FILLED}) * ${MINUTE_S} * 1000 / $5::float8 else 0 end)::float8 as wait
from frctl_model where model = $1`;

const LEAVE = `
with gone as (delete from frctl_request where id = $1 returning model)
update frctl_model set under_way = greatest(0, under_way - 1) where model in (select model from gone)`;

const CLOSE = `
with closed as (
  insert into frctl_model (model, closed_until) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
  on conflict (model) do update set closed_until = greatest(frctl_model.closed_until, excluded.closed_until)
  returning extract(epoch from closed_until - clock_timestamp()) * 1000 as wait)
select pg_notify('${MODEL_CHANNEL}', json_build_object('model', $1::text, 'wait', wait)::text) from closed`;

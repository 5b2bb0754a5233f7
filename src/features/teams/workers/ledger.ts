import { PlanError } from '../../../kernel/errors.js';
import type { Database } from '../postgres/database.js';
import type { Ledger, Limits, Spending } from '../team.js';

interface Room {
  readonly granted: boolean;
  readonly others: boolean;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly seconds: number;
}

/**
 * The budget of a plan as one row, which a call must fit into before it is made. Every reservation has a row of its own
 * beside it, so that those of a process that died can be charged.
 * @param process the name of this process now
 */
export function ledgerOf(database: Database, plan: string, process: () => string): Ledger {
  return {
    async reserve(id, most, limits, known) {
      const { rows } = await database.query<Room>(RESERVE, [
        plan,
        id,
        process(),
        ...valuesOf(most),
        ...valuesOf(known),
        limits.calls ?? null,
        limits.tokens ?? null,
        limits.usd ?? null,
        limits.seconds ?? null,
      ]);
      const room = rows[0];
      if (room === undefined) throw notBegun(plan);
      return room.granted
        ? { kind: 'granted' }
        : { kind: 'short', left: leftOf(room, limits), others: room.others };
    },
    async settle(id, used) {
      await database.query(SETTLE, [id, plan, ...valuesOf(used)]);
    },
    async seconds() {
      const { rows } = await database.query<{ seconds: number }>(
        `select ${ELAPSED} as seconds from frctl_planning where plan = $1`,
        [plan],
      );
      return rows[0]?.seconds ?? 0;
    },
  };
}

const ELAPSED = `extract(epoch from clock_timestamp() - started_at)::float8`;

/**
 * Adds to what is held only if all still fits; the row is locked for this statement alone, and looked at anew when
 * another has changed it meanwhile.
 */
const RESERVE = `
with held as (
  update frctl_planning set
    calls = greatest(calls, $7::float8), tokens = greatest(tokens, $8::float8), usd = greatest(usd, $9::float8),
    held_calls = held_calls + $4::float8, held_tokens = held_tokens + $5::float8, held_usd = held_usd + $6::float8
  where plan = $1 and not exists (select from frctl_held where id = $2)
    and greatest(calls, $7::float8) + held_calls + $4::float8 <= coalesce($10::float8, 'infinity')
    and greatest(tokens, $8::float8) + held_tokens + $5::float8 <= coalesce($11::float8, 'infinity')
    and greatest(usd, $9::float8) + held_usd + $6::float8 <= coalesce($12::float8, 'infinity')
    and ${ELAPSED} < coalesce($13::float8, 'infinity')
  returning plan),
noted as (
  insert into frctl_held (id, process, plan, calls, tokens, usd) select $2, $3, $1, $4::float8, $5::float8, $6::float8 from held returning id)
select exists (select from noted) or exists (select from frctl_held where id = $2) as granted,
  held_calls > 0 as others,
  $10::float8 - greatest(calls, $7::float8) - held_calls as calls,
  $11::float8 - greatest(tokens, $8::float8) - held_tokens as tokens,
  $12::float8 - greatest(usd, $9::float8) - held_usd as usd,
  $13::float8 - ${ELAPSED} as seconds
from frctl_planning where plan = $1`;

const SETTLE = `
with gone as (delete from frctl_held where id = $1 returning calls, tokens, usd)
update frctl_planning p set
  calls = p.calls + $3::float8, tokens = p.tokens + $4::float8, usd = p.usd + $5::float8,
  held_calls = p.held_calls - gone.calls, held_tokens = p.held_tokens - gone.tokens, held_usd = p.held_usd - gone.usd
from gone where p.plan = $2`;

function valuesOf({ calls, tokens, usd }: Spending): readonly number[] {
  return [calls, tokens, usd];
}

function leftOf(room: Room, limits: Limits): Limits {
  const left = (['calls', 'tokens', 'usd', 'seconds'] as const).filter((name) => limits[name] !== undefined);
  return Object.fromEntries(left.map((name) => [name, Math.max(0, room[name])]));
}

function notBegun(plan: string): PlanError {
  return new PlanError('STORAGE_FAILED', `workers do not plan ${plan} any more`);
}

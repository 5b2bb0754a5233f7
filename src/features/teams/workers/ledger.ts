import { addUsage, NO_USAGE, tokensOfUsage } from '../../../plan/plan.js';
import type { Usage } from '../../../plan/schema.js';
import { PlanError } from '../../../kernel/errors.js';
import type { Database } from '../postgres/database.js';
import type { KnownUsage, Ledger, Limits, LostCalls } from '../team.js';

interface Room extends Record<string, unknown> {
  readonly granted: boolean;
  readonly others: boolean;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly seconds: number;
}

/** A call that stands in the ledger; older versions of frctl wrote how many tokens, and no more. */
export interface HeldCall extends Record<string, unknown> {
  readonly id: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
  readonly estimated_calls: number;
}

/**
 * The calls for a plan, each with a row of its own. Whoever reserves for a plan with a budget does so alone: the row of the
 * plan is locked first, and what is held is summed up after that.
 * @param process the name of this process now
 */
export function ledgerOf(database: Database, plan: string, process: () => string): Ledger {
  return {
    async reserve(id, most, limits, known) {
      if (Object.keys(limits).length === 0) {
        await database.query(ENTER, [id, process(), plan, ...valuesOf(most)]);
        return { kind: 'granted' };
      }
      const { rows } = await database.inOrder<Room>((literal) => [
        `select from frctl_planning where plan = ${literal(plan)} for update`,
        reserveSql({ id, process: process(), plan, most, limits, known }, literal),
      ]);
      const room = rows[0];
      if (room === undefined) throw notBegun(plan);
      return room.granted
        ? { kind: 'granted' }
        : { kind: 'short', left: leftOf(room, limits), others: room.others };
    },
    async settle(id, used) {
      const { rows } = await database.query<{ lost: boolean }>(used.calls === 0 ? UNDO : SETTLE, [
        id,
        ...(used.calls === 0 ? [] : valuesOf(used)),
      ]);
      return rows[0]?.lost === false;
    },
    async own(ids) {
      const { rows } = await database.query<{ id: string }>(
        'select id from frctl_held where id = any($1) and logged is null and not lost',
        [ids],
      );
      return rows.map(({ id }) => id);
    },
    async disown(ids) {
      await database.query('update frctl_held set lost = true where id = any($1) and logged is null', [ids]);
    },
    async lost() {
      const { rows } = await database.query<HeldCall>(
        `select ${HELD_CALL} from frctl_held where plan = $1 and lost and logged is null limit ${AT_ONCE}`,
        [plan],
      );
      return rows.length === 0 ? null : lostCalls(plan, rows);
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

/** Calls that one event says at most. */
const AT_ONCE = 10_000;

const ELAPSED = `extract(epoch from clock_timestamp() - started_at)::float8`;

/** SQL of what stands in the ledger of a call. */
export const HELD_CALL = `id, calls, coalesce(input_tokens, tokens) as input_tokens, coalesce(output_tokens, 0) as output_tokens,
  case when input_tokens is null then usd else cost_usd end as cost_usd,
  case when input_tokens is null then calls else coalesce(estimated_calls, 0) end as estimated_calls`;

const COLUMNS = 'calls, tokens, usd, input_tokens, output_tokens, cost_usd, estimated_calls';

const ENTER = `insert into frctl_held (id, process, plan, ${COLUMNS})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`;

const SETTLE = `update frctl_held set calls = $2, tokens = $3, usd = $4, input_tokens = $5, output_tokens = $6, cost_usd = $7,
  estimated_calls = $8 where id = $1 and logged is null returning lost`;

const UNDO = 'delete from frctl_held where id = $1 and logged is null returning lost';

/** The values of the columns of a call. */
export function valuesOf(usage: Usage): readonly (number | null)[] {
  const { calls, input_tokens, output_tokens, cost_usd, estimated_calls = 0 } = usage;
  return [calls, tokensOfUsage(usage), cost_usd ?? 0, input_tokens, output_tokens, cost_usd, estimated_calls];
}

/** What calls have used together. */
export function usageOfCalls(calls: readonly HeldCall[]): Usage {
  return calls.reduce<Usage>((sum, { id: _id, ...usage }) => addUsage(sum, usage), NO_USAGE);
}

function lostCalls(plan: string, calls: readonly HeldCall[]): LostCalls {
  return { plan, ids: calls.map(({ id }) => id), usage: usageOfCalls(calls) };
}

interface Reserving {
  readonly id: string;
  readonly process: string;
  readonly plan: string;
  readonly most: Usage;
  readonly limits: Limits;
  readonly known: KnownUsage;
}

/**
 * Enters a call only if it fits beside what the log says and what other calls may use of which it does not yet: those
 * without an event, and those whose event is later than what is known of the log. Other calls are forgotten.
 */
function reserveSql(
  { id, process, plan, most, limits, known }: Reserving,
  literal: (value: string | number | null) => string,
): string {
  const limit = (name: keyof Limits) =>
    limits[name] === undefined ? `'infinity'::float8` : literal(limits[name]);
  const [calls = 0, tokens = 0, usd = 0] = valuesOf(known.usage);
  const values = [id, process, plan, ...valuesOf(most)].map(literal).join(', ');
  const [ownCalls = 1, ownTokens = 0, ownUsd = 0] = valuesOf(most);
  return `with known as (
      update frctl_planning set known_seq = greatest(known_seq, ${literal(known.seq)}),
        calls = greatest(calls, ${literal(calls)}), tokens = greatest(tokens, ${literal(tokens)}), usd = greatest(usd, ${literal(usd)})
      where plan = ${literal(plan)} returning calls, tokens, usd, known_seq, ${ELAPSED} as elapsed),
    forgotten as (
      delete from frctl_held using known where frctl_held.plan = ${literal(plan)} and logged <= known.known_seq),
    held as (
      select coalesce(sum(h.calls), 0) as calls, coalesce(sum(h.tokens), 0) as tokens, coalesce(sum(h.usd), 0) as usd,
        count(*) as count
      from frctl_held h, known
      where h.plan = ${literal(plan)} and h.id <> ${literal(id)} and (h.logged is null or h.logged > known.known_seq)),
    room as (
      select ${limit('calls')} - known.calls - held.calls as calls, ${limit('tokens')} - known.tokens - held.tokens as tokens,
        ${limit('usd')} - known.usd - held.usd as usd, ${limit('seconds')} - known.elapsed as seconds, held.count > 0 as others
      from known, held),
    noted as (
      insert into frctl_held (id, process, plan, ${COLUMNS}) select ${values} from room
      where calls >= ${literal(ownCalls)} and tokens >= ${literal(ownTokens)} and usd >= ${literal(ownUsd)} and seconds > 0
      on conflict do nothing returning id)
    select exists (select from noted) or exists (select from frctl_held where id = ${literal(id)}) as granted, room.* from room`;
}

function leftOf(room: Room, limits: Limits): Limits {
  const left = (['calls', 'tokens', 'usd', 'seconds'] as const).filter((name) => limits[name] !== undefined);
  return Object.fromEntries(left.map((name) => [name, Math.max(0, room[name])]));
}

function notBegun(plan: string): PlanError {
  return new PlanError('STORAGE_FAILED', `workers do not plan ${plan} any more`);
}

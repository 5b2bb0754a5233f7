import { parseOrNull } from '../../../kernel/json/parse-or-null.js';
import { notedProcessSchema } from '../../../storage/spending-notes.js';
import type { NotedProcess, SpendingNotes } from '../../../storage/spending-notes.js';
import { COMMAND } from '../workers/give-up.js';
import { HELD_CALL, usageOfCalls, valuesOf } from '../workers/ledger.js';
import type { HeldCall } from '../workers/ledger.js';
import type { Database } from './database.js';
import { sqlStateOf } from './database-errors.js';

/**
 * Notes of what calls may have used, in the ledger of the workers: so each knows of the other. Those of workers are among them,
 * and are theirs to see to.
 * @param database asked for when it is needed
 */
export function createPostgresSpending(database: () => Promise<Database>): SpendingNotes {
  return {
    async keep(planId, { id, by, usage }) {
      await (await database()).query(KEEP, [id, `${COMMAND}${JSON.stringify(by)}`, planId, ...valuesOf(usage)]);
    },
    async drop(planId, id) {
      await (
        await database()
      ).query(`delete from frctl_held where id = $1 and plan = $2 and process like '${COMMAND}%'`, [id, planId]);
    },
    of: async (planId) => notesOf(await database(), planId),
    async dropAll(planId) {
      await (await database()).query('delete from frctl_held where plan = $1', [planId]);
    },
  };
}

/** The longest name of a process that is looked at. */
const MOST_NAME = 2000;

const KEEP = `insert into frctl_held (id, process, plan, calls, tokens, usd, input_tokens, output_tokens, cost_usd, estimated_calls)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (id) do update set process = excluded.process, calls = excluded.calls, tokens = excluded.tokens, usd = excluded.usd,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd,
    estimated_calls = excluded.estimated_calls`;

async function notesOf(database: Database, planId: string) {
  try {
    const { rows } = await database.query<HeldCall & { process: string }>(
      `select ${HELD_CALL}, left(process, ${MOST_NAME}) as process from frctl_held where plan = $1 and logged is null`,
      [planId],
    );
    return rows.map(({ process, ...call }) => ({
      id: call.id,
      by: processIn(process),
      usage: usageOfCalls([call]),
    }));
  } catch (cause) {
    // A user of the database who may not see it: nothing else depends on the answer.
    if (sqlStateOf(cause) === '42501') return [];
    throw cause;
  }
}

function processIn(name: string): NotedProcess | null {
  if (!name.startsWith(COMMAND)) return null;
  const by = notedProcessSchema.safeParse(parseOrNull(name.slice(COMMAND.length)));
  return by.success ? by.data : null;
}

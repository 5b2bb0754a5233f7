import { PlanError } from '../../../kernel/errors.js';
import { actionPlanIdsIn } from '../../../plan/ids.js';
import { checkedActionPlanId } from '../../../storage/document-ids.js';
import type { ActionPlanDocuments, Documents } from '../../../storage/documents.js';
import { readBytes } from './bounded-bytes.js';
import { MOST_ROW_BYTES } from './bounded-rows.js';
import type { Database } from './database.js';
import { PLAN_EVENTS } from './event-table.js';
import { readEventRows } from './read-event-rows.js';

/**
 * The documents of a store in PostgreSQL. Action plans are in the database. Settings, prompts, methods, tools and approvers
 * are the repository's, in its `.plans/`; proposals, and what a checklist said last, are the user's own, for both belong to
 * the working copy that he has.
 * @param database asked for when an action plan is
 * @param files what is kept beside it, all but action plans
 */
export function createPostgresDocuments(database: () => Promise<Database>, files: Documents): Documents {
  return { ...files, actionPlans: actionPlansIn(database) };
}

function actionPlansIn(database: () => Promise<Database>): ActionPlanDocuments {
  return {
    async keep(textFor, newId) {
      for (;;) {
        const id = checkedActionPlanId(newId());
        const body = Buffer.from(textFor(id));
        const { count, again } = await (
          await database()
        ).query('insert into frctl_action_plan (id, body) values ($1, $2) on conflict do nothing', [
          id,
          body,
        ]);
        // Should an answer have been lost, what is there may be this one.
        if (count > 0 || (again && body.equals((await bodyOf(await database(), id)) ?? Buffer.of())))
          return id;
      }
    },
    async read(id) {
      const body = await bodyOf(await database(), checkedActionPlanId(id));
      if (body !== null) return body.toString('utf8');
      throw new PlanError('FILE_NOT_FOUND', `there is no action plan ${id}`, {
        hint: { commandLine: '`plan show` lists the action plans of a goal.' },
      });
    },
    async drop(id) {
      const checked = checkedActionPlanId(id);
      await (await database()).query('delete from frctl_action_plan where id = $1', [checked]);
    },
    locate(id) {
      checkedActionPlanId(id);
      return null;
    },
    named: async () => namedIn(await database()),
  };
}

function bodyOf(database: Database, id: string): Promise<Buffer | null> {
  return readBytes(database, {
    table: 'frctl_action_plan',
    where: 'id = $1',
    values: [id],
    name: `the action plan ${id}`,
  });
}

async function namedIn(database: Database): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  const { rows } = await database.query<{ id: string }>(
    `select distinct plan as id from frctl_event where size <= ${MOST_ROW_BYTES} and strpos(body::text, 'ap-') > 0`,
  );
  for (const { id } of rows)
    for await (const page of readEventRows(database, PLAN_EVENTS, id))
      for (const { body } of page) for (const found of actionPlanIdsIn(body ?? '')) named.add(found);
  return named;
}

import { PlanError } from '../../kernel/errors.js';
import { actionPlanIdsIn } from '../../plan/ids.js';
import { checkedActionPlanId, checkedGoalId, checkedPlanId } from '../document-ids.js';
import type {
  ActionPlanDocuments,
  Documents,
  KeyedTexts,
  SuppliedDocument,
  SuppliedKind,
} from '../documents.js';
import type { PlanStore } from '../plan-store.js';

/** What a store in memory is given in place of a project's files, by name. */
export type Supplied = Readonly<Partial<Record<SuppliedKind, Readonly<Record<string, string>>>>>;

/** Documents that live as long as the process, beside a store that does. It has no settings. */
export function createMemoryDocuments(store: PlanStore, given: Supplied = {}): Documents {
  return {
    actionPlans: actionPlansBeside(store),
    proposals: textsInMemory(),
    checklists: { ...textsInMemory(), alone: oneAtATime() },
    // Nothing of this store outlives the process.
    spending: {
      keep: async () => undefined,
      drop: async () => undefined,
      of: async () => [],
      dropAll: async () => undefined,
    },
    settings: null,
    supplied: async (kind) =>
      Object.entries(given[kind] ?? {})
        .sort(byName)
        .map(documentOf),
    brought: async () => null,
  };
}

function textsInMemory(): KeyedTexts {
  const texts = new Map<string, string>();
  return {
    read: async (id) => texts.get(checkedGoalId(id)) ?? null,
    keep: async (id, text) => void texts.set(checkedGoalId(id), text),
    async dropAll(planId) {
      const own = `${checkedPlanId(planId)}-`;
      for (const id of texts.keys()) if (id.startsWith(own)) texts.delete(id);
    },
  };
}

/** Does what it is given for a plan when all that came before for that plan is done. */
function oneAtATime(): Documents['checklists']['alone'] {
  const last = new Map<string, Promise<unknown>>();
  return async (planId, work) => {
    const id = checkedPlanId(planId);
    const done = (last.get(id) ?? Promise.resolve()).then(work);
    last.set(
      id,
      done.catch(() => undefined),
    );
    return done;
  };
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

function documentOf([name, text]: readonly [string, string]): SuppliedDocument {
  return { name, text, location: name };
}

function actionPlansBeside(store: PlanStore): ActionPlanDocuments {
  const kept = new Map<string, string>();
  return {
    async keep(textFor, newId) {
      for (;;) {
        const id = checkedActionPlanId(newId());
        if (kept.has(id)) continue;
        kept.set(id, textFor(id));
        return id;
      }
    },
    async read(id) {
      const text = kept.get(checkedActionPlanId(id));
      if (text !== undefined) return text;
      throw new PlanError('FILE_NOT_FOUND', `there is no action plan ${id}`, {
        hint: { commandLine: '`plan show` lists the action plans of a goal.' },
      });
    },
    drop: async (id) => void kept.delete(checkedActionPlanId(id)),
    locate(id) {
      checkedActionPlanId(id);
      return null;
    },
    named: () => namedIn(store),
  };
}

async function namedIn(store: PlanStore): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const id of await store.ids()) {
    const events = JSON.stringify(await (await store.open(id)).events());
    for (const found of actionPlanIdsIn(events)) named.add(found);
  }
  return named;
}

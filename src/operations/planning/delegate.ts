import type { Context } from '../shared/context.js';
import type { Delegate } from '../shared/hooks.js';
import { workersNeedDatabase } from './workers-need-database.js';

/** Returns who plans in the place of a process; null where no feature does. */
export async function delegateIn({ features }: Context): Promise<Delegate<Context> | null> {
  return (await features.find(({ delegate }) => delegate !== undefined)?.delegate?.()) ?? null;
}

/** Returns the same. @throws PlanError WRONG_STATE where no feature does */
export async function neededDelegate(context: Context): Promise<Delegate<Context>> {
  const delegate = await delegateIn(context);
  if (delegate === null) throw workersNeedDatabase();
  return delegate;
}

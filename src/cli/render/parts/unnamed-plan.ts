import * as z from 'zod';

import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { toggle } from '../../../operations/shared/fields.js';
import { findPlanId } from '../../../operations/shared/find-plan.js';
import type { Confirmation, View } from '../../renderer.js';

/** As much of a plan's description as a question has room for. */
const SHOWN = 60;

/** The option that says yes beforehand. */
export const YES_OPTION = z.strictObject({
  yes: toggle('do not ask', { short: 'y' }),
});

/** Returns the id of a plan with the words of its goal, as far as there is room. */
export function namedPlan({
  id,
  description,
}: {
  readonly id: string;
  readonly description: string;
}): string {
  return `${id} “${truncate(oneLine(description), SHOWN)}”`;
}

interface NamesPlan {
  readonly plan?: string | undefined;
}

/**
 * What to ask before something is done to a plan that is meant only because it was changed last.
 * @param question what is asked of the plan, as it is called in a sentence
 * @param byIdAlone whether a plan that was chosen, or is named by words, is asked about too
 */
export async function askOfUnnamedPlan<Input extends NamesPlan>(
  input: Input,
  { workspace, context }: Pick<View, 'workspace' | 'context'>,
  question: (plan: string, id: string) => string | Promise<string>,
  { byIdAlone = false }: { readonly byIdAlone?: boolean } = {},
): Promise<Confirmation<Input> | null> {
  const plan =
    input.plan === undefined
      ? await unnamedPlan(workspace, byIdAlone)
      : byIdAlone && (await isByWords(context, input.plan))
        ? (await workspace.status({ plan: input.plan })).plan
        : null;
  if (plan === null) return null;
  return {
    question: await question(`plan ${namedPlan(plan)}`, plan.id),
    name: plan.id,
    input: { ...input, plan: plan.id },
  };
}

async function unnamedPlan(workspace: View['workspace'], byIdAlone: boolean) {
  const { plan, because } = await workspace.use({});
  return because === 'changed_last' || (byIdAlone && because === 'chosen') ? plan : null;
}

async function isByWords(context: View['context'], name: string): Promise<boolean> {
  return !(await findPlanId(context, name)).startsWith(name.trim().toLowerCase());
}

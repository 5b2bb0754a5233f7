import * as z from 'zod';

import type { ActionPlan, ActionStep, Extensions } from '../model/action-plan.js';
import type { DialectName } from '../model/dialect.js';
import { DIALECT_NAMES } from '../model/dialect.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { withoutMembers } from '../../../kernel/json/json-value.js';

/** What frctl itself notes of a step: the id it had, and strings that are to be read as another dialect reads them. */
const stepNotesSchema = z.strictObject({
  id: z.string().exactOptional(),
  strings: z
    .array(z.strictObject({ at: z.string(), text: z.string(), as: z.enum(DIALECT_NAMES) }))
    .exactOptional(),
});

/** frctl's notes of a step. */
export type StepNotes = z.infer<typeof stepNotesSchema>;

/** A string of a step whose references are spelled, or not there at all, as in another dialect. */
export interface OtherDialectString {
  /** Pointer below the step. */
  readonly at: string;
  /** The string; a note of a string that has been changed since does not count. */
  readonly text: string;
  readonly as: DialectName;
}

/** frctl's notes in the extensions of a step; none where there are none or they are not frctl's. */
export function stepNotes({ extensions }: ActionStep): StepNotes {
  return stepNotesSchema.safeParse(extensions?.frctl).data ?? {};
}

/** A step with other notes in frctl's own extension. */
export function withStepNotes(step: ActionStep, notes: JsonObject): ActionStep {
  return withExtension(step, 'frctl', Object.keys(notes).length === 0 ? undefined : notes);
}

/** A plan or a step with another extension of a name, or without it. */
export function withExtension<T extends ActionPlan | ActionStep>(
  part: T,
  name: string,
  extension: JsonObject | undefined,
): T {
  const { extensions: old, ...rest } = part;
  const others: Record<string, JsonValue> = withoutMembers(old ?? {}, name) ?? {};
  const extensions: Extensions = {
    ...onlyObjects(others),
    ...(extension === undefined ? {} : { [name]: extension }),
  };
  // Nothing but `extensions`, which every part may have or lack, differs from what came in.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (Object.keys(extensions).length === 0 ? rest : { ...rest, extensions }) as T;
}

function onlyObjects(values: Readonly<Record<string, JsonValue>>): Extensions {
  // Extensions hold objects alone; `without` has merely forgotten it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return values as Extensions;
}

import * as z from 'zod';

import { stampFields } from '../../../../plan/events/stamp.js';
import type { EventStamp } from '../../../../plan/events/stamp.js';
import type { RunRefusal } from '../run-refusals.js';
import type { Run } from '../run.js';

/** What an event of a run comes to: the next state, or why the run stays as it is. */
export type RunTransition =
  | { readonly kind: 'accepted'; readonly run: Run }
  | { readonly kind: 'refused'; readonly refusal: RunRefusal };

type PayloadFrom<Type extends string, Fields extends z.ZodRawShape> = z.infer<
  z.ZodObject<{ type: z.ZodLiteral<Type> } & Fields, z.core.$loose>
>;

interface RunChange<Type extends string, Fields extends z.ZodRawShape> {
  readonly type: Type;
  /** The members of the event besides its type and its stamp. */
  readonly fields: Fields;
  /** Whether it may follow the end of the run. */
  readonly afterEnd?: boolean;
  /** Applies the event: pure, total and deterministic. */
  apply(run: Run, event: PayloadFrom<Type, Fields> & EventStamp): RunTransition;
  /** Says what happened, in the past tense. It begins with a verb where the run is the subject. */
  describe(event: PayloadFrom<Type, Fields>): string;
}

interface RunMaking<Type extends string, Fields extends z.ZodRawShape> extends Omit<
  RunChange<Type, Fields>,
  'apply' | 'afterEnd'
> {
  make(event: PayloadFrom<Type, Fields> & EventStamp): RunTransition;
}

/** Defines an event that changes a run. Before there is a run it is refused, and after its end unless it may follow that. */
export function defineRunChange<const Type extends string, Fields extends z.ZodRawShape>(
  change: RunChange<Type, Fields>,
) {
  return {
    ...withSchemas(change),
    apply(run: Run | null, event: PayloadFrom<Type, Fields> & EventStamp): RunTransition {
      if (run === null) return refuseRunEvent({ code: 'no_run' });
      if (run.ended !== null && change.afterEnd !== true)
        return refuseRunEvent({ code: 'ended', outcome: run.ended.outcome });
      return change.apply(run, event);
    },
  };
}

/** Defines the event that makes a run. */
export function defineRunMaking<const Type extends string, Fields extends z.ZodRawShape>(
  making: RunMaking<Type, Fields>,
) {
  return {
    ...withSchemas(making),
    apply: (run: Run | null, event: PayloadFrom<Type, Fields> & EventStamp): RunTransition =>
      run === null ? making.make(event) : refuseRunEvent({ code: 'run_exists' }),
  };
}

/** Accepts an event: the next state. */
export function acceptRunEvent(run: Run): RunTransition {
  return { kind: 'accepted', run };
}

/** Refuses an event: leaves the run as it was, with the reason. */
export function refuseRunEvent(refusal: RunRefusal): RunTransition {
  return { kind: 'refused', refusal };
}

function withSchemas<const Type extends string, Fields extends z.ZodRawShape>(definition: {
  readonly type: Type;
  readonly fields: Fields;
  describe(event: PayloadFrom<Type, Fields>): string;
}) {
  const { type, fields } = definition;
  const payload = z.looseObject({ type: z.literal(type), ...fields });
  return {
    type,
    /** What happened, before the store stamps it. */
    payload,
    /** The event as it stands in a log, without its `crc`. */
    event: payload.extend(stampFields),
    describe: (event: PayloadFrom<Type, Fields> & EventStamp): string => definition.describe(event),
  };
}

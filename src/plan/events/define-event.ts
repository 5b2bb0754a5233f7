import * as z from 'zod';

import type { OpenedGoal } from '../apply/opened-goals.js';
import type { Plan } from '../plan.js';
import type { Refusal } from '../refusals.js';
import { stampFields } from './stamp.js';
import type { EventStamp } from './stamp.js';

/** What an event comes to: the next plan, or why the plan stays as it is. */
export type Transition =
  | { readonly kind: 'accepted'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Names a goal in a sentence. */
export type Named = (goalId: string) => string;

/** An event as it is read, from its own fields: type and stamp are added. */
export type EventFrom<Fields extends z.ZodRawShape> = PayloadFrom<string, Fields> & EventStamp;

type PayloadFrom<Type extends string, Fields extends z.ZodRawShape> = z.infer<
  z.ZodObject<{ type: z.ZodLiteral<Type> } & Fields, z.core.$loose>
>;

/** Lists the goals that an event opens, of the plan as it was before. */
type Opens<Event> = (event: Event, plan: Plan) => readonly OpenedGoal[];

interface Definition<Type extends string, Fields extends z.ZodRawShape> {
  readonly type: Type;
  /** The members of the event besides its type and its stamp. */
  readonly fields: Fields;
  /**
   * The goals that it can change: `its_goal` is the one that its member `goal` names, those above it and
   * those that it makes.
   */
  readonly touches: 'its_goal' | 'any_goal';
  /** Whether `plan undo` may take it back, where it changed a goal. */
  readonly undoable: boolean;
  /**
   * The goals that wait to be expanded because of it, as far as they are known before it is applied; `found_later` are
   * those that only the plan as it is then tells: they are found when somebody looks through it.
   */
  readonly opens: 'nothing' | 'found_later' | Opens<PayloadFrom<Type, Fields>>;
  /**
   * Says what the event did, in the past tense.
   * @param before the plan before it, as far as that is known
   */
  describe(event: PayloadFrom<Type, Fields>, named: Named, before: Plan | null): string;
}

/** An event that changes a plan. */
interface Change<Type extends string, Fields extends z.ZodRawShape> extends Definition<Type, Fields> {
  /** Applies the event: pure, total and deterministic. */
  apply(plan: Plan, event: PayloadFrom<Type, Fields> & EventStamp): Transition;
}

/** An event that makes a plan. */
interface Making<Type extends string, Fields extends z.ZodRawShape> extends Definition<Type, Fields> {
  make(event: PayloadFrom<Type, Fields> & EventStamp): Transition;
}

/**
 * Defines an event that changes a plan: its members, what it does, what it says of itself and whether it can
 * be undone. Before there is a plan it is refused.
 */
export function defineChange<const Type extends string, Fields extends z.ZodRawShape>(
  change: Change<Type, Fields>,
) {
  return {
    ...withSchemas(change),
    apply: (plan: Plan | null, event: PayloadFrom<Type, Fields> & EventStamp): Transition =>
      plan === null ? refuse({ code: 'no_plan' }) : change.apply(plan, event),
  };
}

/** Defines an event that makes a plan. Where there is one already it is refused. */
export function defineMaking<const Type extends string, Fields extends z.ZodRawShape>(
  making: Making<Type, Fields>,
) {
  return {
    ...withSchemas(making),
    apply: (plan: Plan | null, event: PayloadFrom<Type, Fields> & EventStamp): Transition =>
      plan === null ? making.make(event) : refuse({ code: 'plan_exists' }),
  };
}

/** Accepts an event: the next plan. */
export function acceptEvent(plan: Plan): Transition {
  return { kind: 'accepted', plan };
}

/** Refuses an event: leaves the plan as it was, with the reason. */
export function refuse(refusal: Refusal): Transition {
  return { kind: 'refused', refusal };
}

function withSchemas<const Type extends string, Fields extends z.ZodRawShape>(
  definition: Definition<Type, Fields>,
) {
  const { type, fields, touches, undoable, opens } = definition;
  const payload = z.looseObject({ type: z.literal(type), ...fields });
  return {
    type,
    touches,
    undoable,
    /** What happened, before the store stamps it. */
    payload,
    /** The event as it is in a log, without its `crc`. */
    event: payload.extend(stampFields),
    opens: (event: PayloadFrom<Type, Fields> & EventStamp, plan: Plan): readonly OpenedGoal[] =>
      typeof opens === 'function' ? opens(event, plan) : [],
    describe: (event: PayloadFrom<Type, Fields> & EventStamp, named: Named, before: Plan | null): string =>
      definition.describe(event, named, before),
  };
}

import type { ActionPlan, ActionStep, OnError } from './action-plan.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { DialectName } from './dialect.js';
import { sha256 } from '../../../kernel/sha256.js';
import { referencesOfStep } from './step-references.js';
import { CHECK_WORDS, PLAN_WORDS, STEP_WORDS } from './words.js';

/** What is hashed before the plan, so that no digest of anything else is one of a plan. */
const DOMAIN = 'frctl/action-plan/1\n';
/**
 * Hashes the content of a plan to frctl's own digest: `frctl1:` and the whole SHA-256, over {@link digestText}. It
 * covers all that decides what happens and nothing else, in whatever dialect the plan is written.
 * @param dialect that the plan was read from: it says what is a reference in its strings
 */
export function planDigest(plan: ActionPlan, dialect: DialectName): string {
  return `frctl1:${sha256(digestText(plan, dialect))}`;
}

/**
 * The text that is hashed: a line that says what it is, then JSON in canonical form (RFC 8785) of tools, arguments, dependencies, loops,
 * conditions, fallbacks, nested plans, limits, approvals, context, risk and workspace, and of which strings hold references.
 *
 * RFC 8785 prints numbers as JavaScript does. A number that would lose by it, such as an integer beyond 2^53 or
 * `1.0` for `1`, enters as `{"$number": "its text"}`; and an object that has such a key of its own enters as
 * `{"$object": …}`, so that no two plans meet in one text.
 */
export function digestText(plan: ActionPlan, dialect: DialectName): string {
  return DOMAIN + canonicalJson(planFor(plan, dialect));
}

function planFor(plan: ActionPlan, dialect: DialectName): JsonObject {
  const { steps, preconditions, defaults, ...rest } = plan;
  return {
    ...decisive(rest, PLAN_WORDS),
    ...(preconditions === undefined
      ? {}
      : { preconditions: preconditions.map((one) => decisive(one, CHECK_WORDS)) }),
    ...(defaults?.on_error === undefined ? {} : { on_error: onErrorFor(defaults.on_error, dialect) }),
    ...(defaults?.retry === undefined ? {} : { retry: asJson(defaults.retry) }),
    steps: steps.map((step) => stepFor(step, dialect)),
  };
}

function stepFor(step: ActionStep, dialect: DialectName): JsonObject {
  const { on_error: onError, plan, preconditions, verifications, ...rest } = step;
  const references = referencesOfStep(step, dialect).map(({ pointer, reference }) => ({
    at: pointer,
    start: reference.start,
    end: reference.end,
    kind: reference.kind,
    name: reference.name,
    path: reference.path,
  }));
  return {
    ...decisive(rest, STEP_WORDS),
    references,
    ...(preconditions === undefined
      ? {}
      : { preconditions: preconditions.map((one) => decisive(one, CHECK_WORDS)) }),
    ...(verifications === undefined
      ? {}
      : { verifications: verifications.map((one) => decisive(one, CHECK_WORDS)) }),
    ...(onError === undefined ? {} : { on_error: onErrorFor(onError, dialect) }),
    ...(plan === undefined ? {} : { plan: planFor(plan, dialect) }),
  };
}

function onErrorFor(onError: OnError, dialect: DialectName): JsonObject {
  if (onError.strategy === 'fallback')
    return { strategy: 'fallback', steps: onError.steps.map((step) => stepFor(step, dialect)) };
  return asJson(onError);
}

function decisive(part: object, words: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(asJson(part)).filter(([key]) => !words.includes(key)));
}

function asJson(part: object): JsonObject {
  // Every member of the model is JSON by its type; an interface merely lacks the index signature.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as unknown as JsonObject;
}

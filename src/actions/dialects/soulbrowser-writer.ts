import type { ActionPlan, ActionStep, Check } from '../action-plan.js';
import { present } from '../json-value.js';
import type { JsonObject, JsonValue } from '../json-value.js';

/** When a plan was made, where nobody says: SoulBrowser must be told a time. */
const NO_TIME = '1970-01-01T00:00:00Z';
const WAITS = { none: 'None', dom_ready: 'DomReady', idle: 'Idle' } as const;
/** Writes a plan as SoulBrowser stores it; what that has no word for is left out. */
export function writeSoulBrowser(plan: ActionPlan): JsonObject {
  return {
    task_id: plan.id ?? plan.goal_id ?? 'plan',
    title: plan.title ?? plan.goal ?? '',
    description: plan.description ?? '',
    created_at: plan.created_at ?? NO_TIME,
    meta: {
      rationale: plan.rationale ?? [],
      risk_assessment: plan.risks ?? [],
      vendor_context: plan.metadata ?? {},
    },
    steps: plan.steps.map(writeStep),
  };
}

function writeStep(step: ActionStep): JsonObject {
  return {
    id: step.id,
    title: step.title ?? step.tool,
    detail: step.detail ?? '',
    tool: present({
      kind: writeKind(step),
      wait: WAITS[step.wait ?? 'none'],
      timeout_ms: step.timeout_ms,
    }),
    validations: (step.verifications ?? []).flatMap(writeValidation),
    requires_approval: step.requires_approval ?? false,
    metadata: step.metadata ?? {},
  };
}

/** A kind that is none of the eight is written as it was read; SoulBrowser may know more than is known here. */
function writeKind({ tool, args }: ActionStep): JsonObject {
  if (tool.startsWith('soul:')) return { [tool.slice('soul:'.length)]: args };
  return { Custom: { name: tool, payload: args } };
}

function writeValidation({ type, args, description }: Check): readonly JsonObject[] {
  if (!type.startsWith('soul:')) return [];
  const tag = type.slice('soul:'.length);
  const value: JsonValue = args.value ?? null;
  return [{ description: description ?? '', condition: value === null ? tag : { [tag]: value } }];
}

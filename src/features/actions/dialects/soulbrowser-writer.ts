import type { ActionPlan, ActionStep, Check } from '../model/action-plan.js';
import { present } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { isSoulBrowserCondition, isSoulBrowserKind } from '../soulbrowser/soulbrowser-shapes.js';
import { hasSeconds } from './times.js';

/** When a plan was made, where nobody says: SoulBrowser must be told a time. */
const NO_TIME = '1970-01-01T00:00:00Z';
const WAITS = { none: 'None', dom_ready: 'DomReady', idle: 'Idle' } as const;

/** Writes a plan as SoulBrowser stores it; what that has no word for is left out. */
export function writeSoulBrowser(plan: ActionPlan): JsonObject {
  return {
    task_id: plan.id ?? plan.goal_id ?? 'plan',
    title: plan.title ?? plan.goal ?? '',
    description: plan.description ?? '',
    created_at: withSeconds(plan.created_at ?? NO_TIME),
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

/** A tool that is none of the browser's own, or has a body that SoulBrowser would not read, is a custom one. */
function writeKind({ tool, args }: ActionStep): JsonObject {
  const tag = tool.startsWith('soul:') ? tool.slice('soul:'.length) : '';
  return isSoulBrowserKind(tag, args) ? { [tag]: args } : { Custom: { name: tool, payload: args } };
}

/** A condition that SoulBrowser would not read is left out. */
function writeValidation({ type, args, description }: Check): readonly JsonObject[] {
  const tag = type.startsWith('soul:') ? type.slice('soul:'.length) : '';
  const value: JsonValue = args.value ?? null;
  if (!isSoulBrowserCondition(tag, value)) return [];
  return [{ description: description ?? '', condition: { [tag]: value } }];
}

function withSeconds(time: string): string {
  return hasSeconds(time) ? time : time.replace(/T\d\d:\d\d/, '$&:00');
}

import { everyStep } from './action-plan.js';
import type { ActionPlan, ActionStep, Risk } from './action-plan.js';

const KNOWN: ReadonlyMap<string, Risk> = new Map<string, Risk>([
  ['wa:wait_for', 'read-only'],
  ['wa:acquire_lock', 'read-only'],
  ['wa:release_lock', 'read-only'],
  ['wa:validate_approval', 'read-only'],
  ['wa:nested_plan', 'read-only'],
  ['wa:store_data', 'writes'],
  ['wa:mark_event_handled', 'writes'],
  ['wa:send_text', 'commands'],
  ['wa:run_workflow', 'commands'],
  ['soul:Navigate', 'read-only'],
  ['soul:Scroll', 'read-only'],
  ['soul:Wait', 'read-only'],
  ['soul:Done', 'read-only'],
]);
const READS =
  /^(?:cat|count|fetch|find|get|glob|grep|head|inspect|list|ls|parse|peek|read|search|show|stat|view|wait)$/;
const WRITES =
  /^(?:add|and|append|apply|create|delete|drop|edit|insert|move|patch|post|put|remove|rename|replace|save|send|set|then|truncate|update|write)$/;
const RUNS = /^(?:bash|cmd|command|eval|exec|execute|process|run|script|sh|shell|spawn|terminal)$/;
const ORDER: readonly Risk[] = ['read-only', 'writes', 'commands'];

/**
 * The risk of a plan by its tools, where it does not state one: the gravest of its steps, fallbacks and
 * nested plans included. A tool is judged by the words of its name; one that nobody can place writes.
 */
export function riskOf(plan: ActionPlan): Risk {
  let gravest = 0;
  for (const { step } of everyStep(plan)) gravest = Math.max(gravest, ORDER.indexOf(riskOfStep(step)));
  return ORDER[gravest] ?? 'writes';
}

function riskOfStep({ tool }: ActionStep): Risk {
  const known = KNOWN.get(tool);
  if (known !== undefined) return known;
  const words = wordsOf(tool);
  if (words.some((word) => RUNS.test(word))) return 'commands';
  if (words.at(-1) === 'ro') return 'read-only';
  const [verb = ''] = wordsOf(tool.slice(tool.search(/(?<![^.:/])[^.:/]+$/)));
  const reads = READS.test(verb) && !words.some((word) => WRITES.test(word));
  return reads ? 'read-only' : 'writes';
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

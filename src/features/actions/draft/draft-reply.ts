import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import type { ActionPlan, ActionStep } from '../model/action-plan.js';
import { repeatedKeys } from '../model/ambiguities.js';
import { readJsonDocument } from '../../../kernel/json/json-document.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { valueOfTree } from '../../../kernel/json/json-tree.js';
import type { DraftFinding } from '../tools/draft-finding.js';

/**
 * What a model answers with when it is asked for an action plan. Arguments differ from tool to tool, which a strict schema
 * cannot say; so they come as the text of a JSON object.
 */
export const draftReplySchema = z
  .object({
    title: z.string().describe('The plan in a few words.'),
    assumptions: z.array(z.string()).describe('What the plan takes for granted.'),
    risks: z.array(z.string()).describe('What may go wrong.'),
    steps: z
      .array(
        z.object({
          id: z.string().describe('Lower-case letters, digits and hyphens; no other step has it.'),
          tool: z.string().describe('The exact name of a listed tool.'),
          title: z.string().describe('What the step does, in a few words.'),
          args: z.string().describe('The arguments: the text of one JSON object.'),
          each: z
            .string()
            .default('')
            .describe(
              'A reference to a list, for whose items it runs one after the other; empty: it runs once.',
            ),
          depends_on: z.array(z.string()).describe('Ids of earlier steps that must have succeeded.'),
          on_error: z
            .enum(['stop', 'skip', 'retry'])
            .describe('What becomes of the plan when the step fails.'),
          requires_approval: z.boolean().describe('Whether a person must agree before it runs.'),
        }),
      )
      .describe('In the order in which they run.'),
  })
  .meta({ title: 'Action plan' });

export type DraftReply = z.infer<typeof draftReplySchema>;

/** What a reply says as an action plan, and which of its arguments could not be read. */
export interface ReadDraft {
  readonly plan: ActionPlan;
  readonly findings: readonly DraftFinding[];
}

/** Reads a reply. Arguments that are no JSON object are a finding, and empty in the plan. */
export function planOfReply(reply: DraftReply): ReadDraft {
  const findings: DraftFinding[] = [];
  const steps = reply.steps.map((step, index) => {
    const args = readArguments(step.args);
    if (typeof args === 'string')
      findings.push({
        rule: 'INVALID_ARGUMENT',
        severity: 'error',
        message: `args ${args}`,
        pointer: `/steps/${index}/args`,
        step: step.id,
      });
    return stepOf(step, typeof args === 'string' ? {} : args);
  });
  const { title, assumptions, risks } = reply;
  return {
    plan: {
      ...(title.trim() === '' ? {} : { title }),
      ...(assumptions.length === 0 ? {} : { assumptions }),
      ...(risks.length === 0 ? {} : { risks }),
      steps,
    },
    findings,
  };
}

/** What a reply says against itself, or lacks; it is asked again for that before anything else is looked at. */
export function incompleteness({ steps }: DraftReply): readonly string[] {
  if (steps.length === 0) return ['$.steps: must hold at least one step'];
  return steps.flatMap(({ id, tool }, index) => [
    ...(id.trim() === '' ? [`$.steps[${index}].id: must not be empty`] : []),
    ...(tool.trim() === '' ? [`$.steps[${index}].tool: must not be empty`] : []),
  ]);
}

function stepOf(step: DraftReply['steps'][number], args: JsonObject): ActionStep {
  const { id, tool, title, each, depends_on, on_error, requires_approval } = step;
  return {
    id,
    tool,
    args,
    ...(title.trim() === '' ? {} : { title }),
    ...(each.trim() === '' ? {} : { foreach: { from: each.trim(), item_name: 'item' } }),
    ...(depends_on.length === 0 ? {} : { depends_on: [...new Set(depends_on)] }),
    ...(on_error === 'stop' ? {} : { on_error: { strategy: on_error } }),
    ...(requires_approval ? { requires_approval } : {}),
  };
}

/** The arguments, or what is wrong with their text. */
function readArguments(text: string): JsonObject | string {
  try {
    const { root } = readJsonDocument(text);
    const { value: ambiguity } = repeatedKeys(root).next();
    if (ambiguity !== undefined) return `must be the text of a JSON object: ${ambiguity.message}`;
    const value = valueOfTree(root);
    return isJsonObject(value) ? value : 'must be the text of a JSON object';
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    return `must be the text of a JSON object: ${thrown.message}`;
  }
}

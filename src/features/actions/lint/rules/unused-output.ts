import type { Rule } from '../rule.js';
import type { ScopedStep } from '../../model/scopes.js';
import type { Subject } from '../subject.js';

/** UNUSED_OUTPUT: something is read and nobody looks at it. */
export const unusedOutput: Rule = {
  id: 'UNUSED_OUTPUT',
  severity: 'note',
  summary: 'an output that no step uses',
  explanation: `A captured output that nothing mentions, or a read-only query (with \`--tools\`: any read-only tool) that no step depends on, is left over, or a reference is
missing. The last step is exempt: its output is the plan's. A note adds no risk.`,
  example: {
    bad: `{
  "goal": "Greet",
  "steps": [
    { "id": "query", "tool": "db.query_ro", "parameters": { "query": "SELECT name FROM users" }, "on_fail": "abort" },
    { "id": "tell", "tool": "notify.email", "parameters": { "body": "Hello!" }, "on_fail": "abort" }
  ]
}`,
    good: `{
  "goal": "Greet",
  "steps": [
    { "id": "query", "tool": "db.query_ro", "parameters": { "query": "SELECT name FROM users" }, "on_fail": "abort" },
    { "id": "tell", "tool": "notify.email", "parameters": { "body": "Hello {{query.result.name}}!" }, "depends_on": ["query"], "on_fail": "abort" }
  ]
}`,
  },
  *check(subject) {
    const used = new Set(subject.links.filter(({ from, to }) => from !== to).map(({ to }) => to));
    for (const step of subject.steps) {
      if (used.has(step)) continue;
      const part = outputOf(step, subject);
      if (part === null) continue;
      const { message, about, field } = part;
      yield { message, about, region: subject.placeOf(`${step.pointer}/${field}`) };
    }
  },
};

function outputOf(
  { step, scope, order }: ScopedStep,
  { policy, tools }: Subject,
): { readonly message: string; readonly about: readonly string[]; readonly field: string } | null {
  if (step.capture_as !== undefined)
    return {
      message: `no step uses ${step.capture_as}, the output of ${step.id}`,
      about: [step.capture_as],
      field: 'capture_as',
    };
  const isQuery = policy.isKind('sql', step.tool) && policy.isKind('sql_read_only', step.tool);
  if ((!isQuery && tools?.effectsOf(step.tool) !== 'none') || order === scope.steps.length - 1) return null;
  return { message: `${step.id} only reads, and no step uses what it reads`, about: [], field: 'id' };
}

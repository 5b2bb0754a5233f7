import type { Rule } from '../rule.js';
import { SOUND_EXAMPLE } from '../sound-example.js';
import { linkVerb } from '../graph/links.js';
import type { Link } from '../graph/links.js';
import { regionOfLink } from '../graph/region-of-link.js';

/** FORWARD_REFERENCE: the output of a step that comes later. */
export const forwardReference: Rule = {
  id: 'FORWARD_REFERENCE',
  severity: 'error',
  summary: 'a reference to a step that comes later in the plan',
  explanation: `Steps run in document order unless dependencies say otherwise, so a later step has no output yet. Move the step, or declare the
dependency: frctl then runs it first. A declared dependency on a later step is a warning, because systems that run in strict
order cannot follow it. Steps that need each other are LOOP_DETECTED.`,
  example: {
    bad: `{
  "goal": "Tell the balance",
  "steps": [
    { "id": "tell", "tool": "notify.email", "parameters": { "body": "You have {{query.result.balance}}" }, "on_fail": "abort" },
    { "id": "query", "tool": "db.query_ro", "parameters": { "query": "SELECT balance FROM accounts" }, "on_fail": "abort" }
  ]
}`,
    good: SOUND_EXAMPLE,
  },
  *check(subject) {
    const declared = new Set(
      subject.links.flatMap((link) => (link.reference === null ? [pairOf(link)] : [])),
    );
    for (const link of subject.links) {
      const { from, to, reference } = link;
      if (to === null || to.scope !== from.scope || to.order <= from.order) continue;
      if (subject.areInOneLoop(from, to)) continue;
      if (reference !== null && declared.has(pairOf(link))) continue;
      yield {
        message: `${from.step.id} ${linkVerb(link)} ${to.step.id}, which comes later`,
        about: [to.step.id],
        region: regionOfLink(link, subject),
        ...(reference === null ? { severity: 'warning' as const } : {}),
      };
    }
  },
};

function pairOf({ from, to }: Link): string {
  return `${from.pointer} ${to?.pointer ?? ''}`;
}

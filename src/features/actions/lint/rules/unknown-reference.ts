import type { Rule } from '../rule.js';
import { SOUND_EXAMPLE } from '../sound-example.js';
import { linkVerb } from '../graph/links.js';
import { regionOfLink } from '../graph/region-of-link.js';

/** UNKNOWN_REFERENCE: a step that there is none of. */
export const unknownReference: Rule = {
  id: 'UNKNOWN_REFERENCE',
  severity: 'error',
  summary: 'a reference to, or a dependency on, a step that does not exist',
  explanation: `Such a step can never run. Dependencies and references that name a step count: \`$steps.x\`, \`{{x.result}}\`, \`\${x.result}\`.
Variables, context and what a foreach binds come from the host and are not judged; \`$1\`, \`$5.00\` and braces with spaces
are not references. A nested plan may refer to the steps around it.`,
  example: {
    bad: `{
  "goal": "Tell the balance",
  "steps": [{ "id": "tell", "tool": "notify.email", "parameters": { "body": "You have {{query.result.balance}}" }, "on_fail": "abort" }]
}`,
    good: SOUND_EXAMPLE,
  },
  *check(subject) {
    for (const link of subject.links) {
      if (link.to !== null) continue;
      yield {
        message: `${link.from.step.id} ${linkVerb(link)} ${link.name}, and there is no such step`,
        about: [link.name],
        region: regionOfLink(link, subject),
      };
    }
  },
};

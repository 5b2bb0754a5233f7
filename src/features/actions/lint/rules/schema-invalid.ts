import type { Rule } from '../rule.js';
import { schemaObservations } from '../schema-observations.js';

/** SCHEMA_INVALID: what a dialect's own schema refuses. Of a plan that cannot be read the engine reports the same. */
export const schemaInvalid: Rule = {
  id: 'SCHEMA_INVALID',
  severity: 'error',
  summary: 'the plan is not what its dialect allows',
  explanation: `The plan breaks the schema of its dialect: a required field is missing, a value has the wrong type, a key is
unknown, or some steps have \`args\` and others \`parameters\`. A step with both, or a duplicate key, makes the document two plans
in one; then nothing else is checked, and no severity makes it milder. With \`--tools\`, a step is also held against its tool: unknown tools and arguments that its schema does not allow are found. A document that is not JSON is unreadable (exit status 2). \`--fix\`
renames \`args\` or \`parameters\` to what the plan or its dialect uses.`,
  example: {
    bad: `{
  "version": "1.0",
  "goal": "Tidy the inbox",
  "riskLevel": "writes",
  "steps": [{ "id": "s1", "tool": "note.move", "parameters": { "to": "Archive" } }]
}`,
    good: `{
  "version": "1.0",
  "goal": "Tidy the inbox",
  "riskLevel": "writes",
  "steps": [{ "id": "s1", "tool": "note.move", "args": { "to": "Archive" } }]
}`,
  },
  *check({ read, plan, tools, placeOf }) {
    yield* schemaObservations(read, read.deviations);
    for (const { rule, message, pointer } of tools?.check(plan) ?? [])
      yield { message, about: [rule, message], region: placeOf(pointer) };
  },
};

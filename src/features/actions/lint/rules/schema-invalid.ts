import type { Rule } from '../rule.js';
import { schemaObservations } from '../schema-observations.js';

/** SCHEMA_INVALID: what a dialect's own schema refuses. Of a plan that cannot be read the engine reports the same. */
export const schemaInvalid: Rule = {
  id: 'SCHEMA_INVALID',
  severity: 'error',
  summary: 'the plan is not what its dialect allows',
  explanation: `A system refuses or misreads a plan that does not follow its schema: a required field is missing, a value is of
the wrong type, a key is unknown where none is allowed, or some steps have \`args\` and others \`parameters\`. A step with both, and a key
that any object of the document holds twice, make it two plans in one: nobody can say which of them is judged and which one runs. Then
nothing else is checked, and no severity makes it milder. With \`--tools\` a step is held against its tool as well: one that the tools file does
not bind, or arguments that the schema of the tool does not allow. A document that is no
JSON is no finding but unreadable (exit status 2). \`--fix\` renames \`args\` and \`parameters\` to what the rest of the plan, or its dialect, says.`,
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

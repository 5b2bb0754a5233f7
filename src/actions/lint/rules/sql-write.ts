import { isJsonList, isJsonObject } from '../../json-value.js';
import type { JsonValue } from '../../json-value.js';
import { pointerTo } from '../../json-pointer.js';
import type { JsonPointer } from '../../json-pointer.js';
import { isPlainName } from '../../policy/tool-glob.js';
import type { Rule } from '../rule.js';
import { sqlWrite, sqlWriteForm } from '../sql-writes.js';

/** SQL_WRITE: a database tool that changes something. */
export const sqlWriteRule: Rule = {
  id: 'SQL_WRITE',
  severity: 'error',
  summary: 'SQL that writes',
  explanation: `Plans are to read databases; a change wants a person's eye. For \`sql.*\` and \`db.*\` (\`tool_patterns.sql\`) the arguments that hold SQL
are read statement by statement: strings, quoted names and comments do not count, nor does a column \`created_at\`; what does are statements that change
data, structure or rights, also after a semicolon, within a \`WITH\`, as \`SELECT … INTO\`, under \`EXPLAIN ANALYZE\`, or in MySQL's \`/*! … */\`.
A tool that writes by its name (\`*.write\`, \`tool_patterns.sql_write\`) is reported as such, unless \`allow_tools\` of the policy names it outright: then
writing is what it is allowed for. What a reference will put into a query cannot be judged. Plan-Lint reports this as TOOL_DENY; so does \`--compat\`.`,
  example: {
    bad: `{
  "goal": "Clean up the sessions",
  "steps": [
    { "id": "q", "tool": "db.query", "parameters": { "query": "WITH old AS (DELETE FROM sessions WHERE seen < $1 RETURNING id) SELECT count(*) FROM old" }, "on_fail": "abort" }
  ]
}`,
    good: `{
  "goal": "Count the sessions",
  "steps": [
    { "id": "q", "tool": "db.query", "parameters": { "query": "SELECT count(*), 'DELETE FROM x' -- drop table\\nFROM sessions WHERE created_at < $1" }, "on_fail": "abort" }
  ]
}`,
  },
  *check({ steps, policy, placeOf }) {
    const allowed = new Set((policy.source.allow_tools ?? []).filter(isPlainName));
    for (const { step, pointer } of steps) {
      if (!policy.isKind('sql', step.tool)) continue;
      const writes = policy.isKind('sql_write', step.tool);
      if (writes && allowed.has(step.tool)) continue;
      if (writes) yield { message: `the tool ${step.tool} writes`, place: placeOf(`${pointer}/tool`) };
      for (const { text, isQuery, pointer: at } of sqlIn(step.args, `${pointer}/args`, null)) {
        const word = isQuery ? sqlWrite(text) : sqlWriteForm(text);
        if (word !== null) yield { message: `SQL that writes: ${word}`, place: placeOf(at) };
      }
    }
  },
};

/** Arguments that hold SQL by their names, and those whose strings are values for it. */
const QUERY_KEY =
  /^(?:sql|query|queries|statements?|stmt|script|commands?|text|sql_?text|sql_?query|raw_?sql)$/i;
const VALUE_KEY = /^(?:args|params|parameters|values?|bindings?|binds|variables|data|rows?)$/i;

interface FoundSql {
  readonly text: string;
  /** Whether its name says that it is SQL. */
  readonly isQuery: boolean;
  readonly pointer: JsonPointer;
}

function sqlIn(value: JsonValue, pointer: JsonPointer, key: string | null): readonly FoundSql[] {
  if (typeof value === 'string')
    return [{ text: value, isQuery: key !== null && QUERY_KEY.test(key), pointer }];
  if (isJsonList(value)) return value.flatMap((item, index) => sqlIn(item, pointerTo(pointer, index), key));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    VALUE_KEY.test(name) ? [] : sqlIn(member, pointerTo(pointer, name), name),
  );
}

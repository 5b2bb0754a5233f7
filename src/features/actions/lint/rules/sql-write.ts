import { dialectOf } from '../../model/dialects.js';
import type { JsonObject } from '../../../../kernel/json/json-value.js';
import { followPath, lexReferences } from '../../model/references.js';
import type { ReferenceSyntax } from '../../model/references.js';
import { isPlainName } from '../../policy/tool-glob.js';
import { callsOf } from '../calls.js';
import type { Rule } from '../rule.js';
import { sqlArguments } from '../sql/sql-arguments.js';
import { sqlWrite, sqlWriteForm } from '../sql/sql-writes.js';

/** SQL_WRITE: a database tool that changes something. */
export const sqlWriteRule: Rule = {
  id: 'SQL_WRITE',
  severity: 'error',
  summary: 'SQL that writes',
  explanation: `A change of a database should be looked at by a person. For \`sql.*\` and \`db.*\` (\`tool_patterns.sql\`) every string of the arguments
is checked. Queries (\`query\`, \`sql\`, \`statements\`, \`script\` and the like) are read as SQL, other strings if they look like a statement and
not like a sentence. Values bound to a query are text. A statement writes if it changes data, structure, permissions or the server, or runs code that may
(\`EXEC\`, \`CALL\`). It is found after a semicolon or without one, within \`WITH\`, as \`SELECT … INTO\`, and under \`EXPLAIN ANALYZE\`. Strings,
quoted names and comments do not count. Each text is read as PostgreSQL, MySQL, MariaDB, SQL Server, SQLite and Oracle would, and it is enough if it writes in one.
A tool that writes by name (\`*.write\`, \`tool_patterns.sql_write\`) is reported, unless \`allow_tools\` names it exactly. Only a few functions that
write are known (\`setval\`, \`dblink_exec\`, \`OPENQUERY\` …). Not judged are a lone procedure name of SQL Server, and \`EXPLAIN\` of a change on a server without it.
Output of other steps is checked by \`plan run\` before the call. Values of the plan's context are filled in first. With \`--compat\` this is TOOL_DENY.`,
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
  *check({ steps, policy, placeOf, read }) {
    const allowed = new Set((policy.source.allow_tools ?? []).filter(isPlainName));
    const syntax = dialectOf(read.dialect).references;
    const calls = steps.flatMap(({ step, pointer, scope }) =>
      callsOf(step).map((call) => ({ ...call, pointer, scope })),
    );
    for (const { tool, args, toolAt, argsAt, pointer, scope } of calls) {
      if (!policy.isKind('sql', tool)) continue;
      const writes = policy.isKind('sql_write', tool);
      if (writes && allowed.has(tool)) continue;
      if (writes)
        yield {
          message: `the tool ${tool} writes`,
          about: [tool],
          region: placeOf(`${pointer}${toolAt}`),
        };
      for (const { text, isQuery, isProse, pointer: at } of sqlArguments(args, `${pointer}${argsAt}`)) {
        const judge = isQuery ? sqlWrite : (sql: string) => sqlWriteForm(sql, isProse);
        const word = judge(text) ?? judgeFilled(text, filled(text, scope.plan.context, syntax), judge);
        if (word !== null) yield { message: `SQL that writes: ${word}`, about: [word], region: placeOf(at) };
      }
    }
  },
};

/** What a text says with the values that the plan's context already has. */
function filled(text: string, context: JsonObject | undefined, syntax: ReferenceSyntax): string {
  if (context === undefined || !/[{$]/.test(text)) return text;
  const parts = lexReferences(text, { syntax }).map((part) => {
    if (part.kind === 'text') return part.text;
    const { kind, name, path } = part.reference;
    const value = kind === 'context' ? followPath(context, [name, ...path]) : { missing: name };
    return 'found' in value && typeof value.found === 'string' ? value.found : part.reference.text;
  });
  return parts.join('');
}

function judgeFilled(text: string, whole: string, judge: (sql: string) => string | null): string | null {
  return whole === text ? null : judge(whole);
}

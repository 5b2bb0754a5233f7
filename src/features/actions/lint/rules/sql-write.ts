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
  explanation: `Plans are to read databases; a change wants a person's eye. For \`sql.*\` and \`db.*\` (\`tool_patterns.sql\`) every string of the arguments is looked
at, at any depth: what is called a query (\`query\`, \`sql\`, \`statements\`, \`script\` and so on) as SQL, others where they have the form of a statement: what could be a sentence as well (\`Truncate logs\`) is none if it begins as one, or if its name is that of a text for people (\`note\`, \`title\`). Only values
bound to a query beside them are text. SQL is read statement by statement: strings, quoted names and comments do not count, nor does a column
\`created_at\`. A statement writes when it changes data, structure, rights or the server, or runs code that may (\`EXEC\`, \`CALL\`, a procedure by its name). It is found also after a semicolon or without one (\`IF … UPDATE\`, \`BEGIN DELETE … END\`), within a \`WITH\`, as \`SELECT … INTO\`, and under \`EXPLAIN ANALYZE\`.
Products differ in what is a comment or a string: \`--1\`, \`# it's\`, nested comments, \`a[b[1]]\`, \`$$\`, \`\\'\`, \`q'[…]'\`, \`/*! … */\`. Each text is read as PostgreSQL, MySQL and MariaDB, SQL
Server, SQLite and Oracle read it, in the modes that matter, and what writes for one of them writes.
A tool that writes by its name (\`*.write\`, \`tool_patterns.sql_write\`) is reported as such, unless \`allow_tools\` of the policy names it outright: then
writing is what it is allowed for. Not judged are functions other than a few that are known (\`setval\`, \`dblink_exec\`, \`OPENQUERY\` …), and what the output of a step will put into a query: \`plan run\` judges that before the call. Nor are a lone word that names a procedure of SQL Server, and \`EXPLAIN\` of a change on a server without \`EXPLAIN\`. Values of the plan's context are put
in before judging. Plan-Lint reports this as TOOL_DENY; so does \`--compat\`.`,
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

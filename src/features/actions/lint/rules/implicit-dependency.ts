import { memberOf } from '../../../../kernel/json/json-document.js';
import type { TextEdit } from '../finding.js';
import { insertMember } from '../insert-member.js';
import type { Rule } from '../rule.js';
import { SOUND_EXAMPLE } from '../sound-example.js';
import type { ScopedStep } from '../../model/scopes.js';
import type { Subject } from '../subject.js';

/** IMPLICIT_DEPENDENCY: a dependency that only a reference shows. */
export const implicitDependency: Rule = {
  id: 'IMPLICIT_DEPENDENCY',
  severity: 'note',
  summary: 'a step refers to another without declaring the dependency',
  explanation: `frctl treats a reference as a dependency; other systems and readers see only declared ones. Only dialects with a field
for it are judged: Plan-Lint's \`parameters\` form, Obsidian and frctl. \`--fix\` adds the dependency.`,
  example: {
    bad: `{
  "goal": "Tell the balance",
  "steps": [
    { "id": "query", "tool": "db.query_ro", "parameters": { "query": "SELECT balance FROM accounts" }, "on_fail": "abort" },
    { "id": "tell", "tool": "notify.email", "parameters": { "body": "You have {{query.result.balance}}" }, "on_fail": "abort" }
  ]
}`,
    good: SOUND_EXAMPLE,
  },
  *check(subject) {
    const key = dependencyKey(subject);
    if (key === null) return;
    const missing = new Map<ScopedStep, Set<ScopedStep>>();
    for (const { from, to, reference } of subject.links) {
      if (reference === null || to === null || to.scope !== from.scope || to.order >= from.order) continue;
      if (from.step.depends_on?.includes(to.step.id) === true) continue;
      if (subject.areInOneLoop(from, to)) continue;
      missing.set(from, (missing.get(from) ?? new Set()).add(to));
    }
    for (const [from, targets] of missing) {
      const ids = new Set(Array.from(targets, ({ step }) => step.id));
      yield {
        message: `${from.step.id} refers to ${[...ids].join(', ')} without depending on it`,
        about: [...ids],
        region: subject.placeOf(`${from.pointer}/id`),
        fix: () => [
          ...addition(from, [...ids], key, subject),
          ...[...targets].flatMap((to) => keptId(to, subject)),
        ],
      };
    }
  },
};

function dependencyKey({ read }: Subject): string | null {
  if (read.dialect === 'obsidian') return 'dependsOn';
  if (read.dialect === 'frctl') return 'depends_on';
  return read.dialect === 'plan-lint' && read.variant === 'parameters' ? 'depends_on' : null;
}

function addition(
  from: ScopedStep,
  ids: readonly string[],
  key: string,
  { read, nodeAt }: Subject,
): readonly TextEdit[] {
  const step = nodeAt(from.pointer);
  if (step?.kind !== 'object') return [];
  const list = memberOf(step, key);
  const texts = ids.map((id) => JSON.stringify(id));
  if (list === null) return [insertMember(read.document.text, step, key, `[${texts.join(', ')}]`)];
  const last = list.kind === 'array' ? list.elements.at(-1) : undefined;
  if (last === undefined) return [{ start: list.start, end: list.end, text: `[${texts.join(', ')}]` }];
  return [{ start: last.end, end: last.end, text: texts.map((text) => `, ${text}`).join('') }];
}

/** Has the id stay as it is in the same round where it may be renamed, for then another would be added. */
function keptId(
  { step: { id }, scope, pointer }: ScopedStep,
  { placeOf, read }: Subject,
): readonly TextEdit[] {
  if (scope.byId.get(id)?.[0]?.pointer === pointer) return [];
  const { start, end } = placeOf(`${pointer}/id`);
  return [{ start, end, text: read.document.text.slice(start, end) }];
}

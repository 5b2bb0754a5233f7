import { keysOfPointer, pointerTo } from '../../../../kernel/json/json-pointer.js';
import type { TextEdit } from '../finding.js';
import type { Link } from '../graph/links.js';
import { referencesOfStep } from '../../model/step-references.js';
import type { Rule } from '../rule.js';
import type { ScopedStep } from '../../model/scopes.js';
import type { Subject } from '../subject.js';

/** DUPLICATE_ID: two steps of one id. */
export const duplicateId: Rule = {
  id: 'DUPLICATE_ID',
  severity: 'error',
  summary: 'two steps with the same id',
  explanation: `References name steps by id, so a shared id names neither. Steps of fallbacks share the plan's ids; a nested plan has its own.
\`--fix\` renames the later step (\`send\` becomes \`send-2\`), with dependencies and references after it, which are taken to mean the nearest
earlier step. Fallback steps are meant only within their fallback, or where no other step has the id. Ids of wa derive from content and are never renamed.`,
  example: {
    bad: `{
  "goal": "Tell both",
  "steps": [
    { "id": "send", "tool": "notify.email", "parameters": { "to": "a@example.com" }, "on_fail": "abort" },
    { "id": "send", "tool": "notify.email", "parameters": { "to": "b@example.com" }, "on_fail": "abort" }
  ]
}`,
    good: `{
  "goal": "Tell both",
  "steps": [
    { "id": "send", "tool": "notify.email", "parameters": { "to": "a@example.com" }, "on_fail": "abort" },
    { "id": "send-2", "tool": "notify.email", "parameters": { "to": "b@example.com" }, "on_fail": "abort" }
  ]
}`,
  },
  *check(subject) {
    const { scopes, read, placeOf } = subject;
    const names = freeNames(subject);
    for (const scope of scopes) {
      for (const [id, [first, ...more]] of scope.byId) {
        for (const step of more) {
          const line = read.document.positionOf(placeOf(`${first?.pointer ?? ''}/id`).start).line;
          yield {
            message: `the id ${id} is taken by the step on line ${line}`,
            about: [id],
            region: placeOf(`${step.pointer}/id`),
            fix: read.dialect === 'wa' ? undefined : () => renaming(step, names(id), subject),
          };
        }
      }
    }
  },
};

/** Gives ids that nothing in the plan has or names, so that no reference comes to mean another thing. */
function freeNames(subject: Subject): (id: string) => string {
  let taken: Set<string> | null = null;
  const next = new Map<string, number>();
  return (id) => {
    taken ??= namesIn(subject);
    let number = next.get(id) ?? 2;
    while (taken.has(`${id}-${number}`)) number += 1;
    taken.add(`${id}-${number}`);
    next.set(id, number + 1);
    return `${id}-${number}`;
  };
}

/** Whatever a reference names, or could. */
function namesIn({ scopes, steps, links, read }: Subject): Set<string> {
  return new Set([
    ...scopes.flatMap(({ plan }) => Object.keys(plan.context ?? {})),
    ...links.map(({ name }) => name),
    ...steps.flatMap(({ step }) => [
      step.id,
      ...[step.capture_as, step.foreach?.item_name, step.foreach?.index_name].filter(
        (name) => name !== undefined,
      ),
      ...referencesOfStep(step, read.dialect).map(({ reference }) => reference.name),
    ]),
  ]);
}

function renaming(step: ScopedStep, name: string, subject: Subject): readonly TextEdit[] {
  const own = subject.placeOf(`${step.pointer}/id`);
  const meant = subject.links.filter(({ to, name: written }) => to === step && written === step.step.id);
  return [
    { start: own.start, end: own.end, text: JSON.stringify(name) },
    ...meant.flatMap((link) => linkEdit(link, name, subject)),
  ];
}

function linkEdit(
  { reference, pointer, name: old }: Link,
  name: string,
  subject: Subject,
): readonly TextEdit[] {
  if (reference === null) {
    const { start, end } = subject.placeOf(pointer);
    return [{ start, end, text: JSON.stringify(name) }];
  }
  const head = /^(?:\$\{|\{\{|\{)?\s*(?:\$?steps\.)?/.exec(reference.text)?.[0].length ?? 0;
  // A variable of the same name is what a step captures, which keeps its name.
  if (reference.kind === 'variable') return [];
  const at = reference.start + head;
  const { start, end } = subject.placeWithin(pointerTo('', ...keysOfPointer(pointer)), at, at + old.length);
  return [{ start, end, text: JSON.stringify(name).slice(1, -1) }];
}

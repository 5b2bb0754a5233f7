import { keysOfPointer, pointerTo } from '../../../kernel/json/json-pointer.js';
import type { TextEdit } from '../finding.js';
import type { Link } from '../graph/links.js';
import type { Rule } from '../rule.js';
import type { Scope, ScopedStep } from '../../scopes.js';
import type { Subject } from '../subject.js';

/** DUPLICATE_ID: two steps of one id. */
export const duplicateId: Rule = {
  id: 'DUPLICATE_ID',
  severity: 'error',
  summary: 'two steps with the same id',
  explanation: `Dependencies and references name steps by their ids, so one that two steps share means neither. Steps of fallbacks share the plan's
ids; a nested plan has its own. \`--fix\` renames the later step (\`send\` becomes \`send-2\`), and in the steps after it also the dependencies and
references, which are taken to mean the nearest step before them. The ids of wa are made of their content and are never renamed.`,
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
    for (const scope of scopes) {
      const names = freeNames(scope);
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

/** Gives ids that no step of a scope has. */
function freeNames({ byId }: Scope): (id: string) => string {
  const given = new Set<string>();
  return (id) => {
    let number = 2;
    while (byId.has(`${id}-${number}`) || given.has(`${id}-${number}`)) number += 1;
    given.add(`${id}-${number}`);
    return `${id}-${number}`;
  };
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
  if (reference.text.slice(head, head + old.length) !== old) return [];
  const at = reference.start + head;
  const { start, end } = subject.placeWithin(pointerTo('', ...keysOfPointer(pointer)), at, at + old.length);
  return [{ start, end, text: JSON.stringify(name).slice(1, -1) }];
}

import * as z from 'zod';

import { scanJson } from '../../../kernel/json/json-scanner.js';
import { isSameTree, textOfTree, treeOfValue, valueOfTree } from '../../../kernel/json/json-tree.js';
import type { JsonTree } from '../../../kernel/json/json-tree.js';
import { isJsonValue, present } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';

const value = z.unknown().pipe(z.custom<JsonValue>((one) => isJsonValue(one)));

/**
 * How a document differs from what would be written of its plan: members that the model does not know, null
 * for what is left out, another order of keys, `1.0` for `1`. Each part says what it was made against, and is
 * passed over where a plan has been changed since.
 */
export interface TreeDifference {
  /** Replace this … */
  readonly from?: JsonValue | undefined;
  /** … by this, or by what this JSON text says, where a JavaScript value cannot hold it. */
  readonly to?: JsonValue | undefined;
  readonly text?: string | undefined;
  /** Members to add, as JSON text where a value cannot hold them. */
  readonly set?: Readonly<Record<string, JsonValue>> | undefined;
  readonly set_text?: Readonly<Record<string, string>> | undefined;
  /** Members to leave out, with the value they have. */
  readonly drop?: Readonly<Record<string, JsonValue>> | undefined;
  /** Keys in the order of the document. */
  readonly order?: readonly string[] | undefined;
  readonly members?: Readonly<Record<string, TreeDifference>> | undefined;
  readonly elements?: readonly ElementDifference[] | undefined;
}

interface ElementDifference {
  readonly index: number;
  /** The id of the element, by which it is found again where it has moved. */
  readonly id?: string | undefined;
  readonly difference: TreeDifference;
}

/** What is read back of a difference that a document carries. */
export const treeDifferenceSchema: z.ZodType<TreeDifference> = z.lazy(() =>
  z.strictObject({
    from: value.optional(),
    to: value.optional(),
    text: z.string().optional(),
    set: z.record(z.string(), value).optional(),
    set_text: z.record(z.string(), z.string()).optional(),
    drop: z.record(z.string(), value).optional(),
    order: z.array(z.string()).optional(),
    members: z.record(z.string(), treeDifferenceSchema).optional(),
    elements: z
      .array(
        z.strictObject({
          index: z.int().nonnegative(),
          id: z.string().optional(),
          difference: treeDifferenceSchema,
        }),
      )
      .optional(),
  }),
);

/** How `source` differs from `made`; null when they say the same in the same order. */
export function treeDifference(made: JsonTree, source: JsonTree): TreeDifference | null {
  if (isSameTree(made, source)) return null;
  if (made.kind === 'object' && source.kind === 'object' && hasPlainKeys(made) && hasPlainKeys(source))
    return objectDifference(made, source);
  if (made.kind === 'array' && source.kind === 'array' && made.elements.length === source.elements.length)
    return { elements: elementDifferences(made.elements, source.elements) };
  const from = valueOfTree(made);
  return canBeValue(source) ? { from, to: valueOfTree(source) } : { from, text: textOfTree(source) };
}

/** What a difference makes of a tree. Applied to what it was made against, it gives the source back. */
export function applyDifference(made: JsonTree, difference: TreeDifference): JsonTree {
  const { from, to, text, elements } = difference;
  if (from !== undefined) {
    if (!isSameTree(treeOfValue(from), asValue(made))) return made;
    return text === undefined ? treeOfValue(to ?? null) : (treeOfText(text) ?? made);
  }
  if (made.kind === 'array' && elements !== undefined) {
    const changed = [...made.elements];
    for (const { index, id, difference: inner } of elements) {
      const position =
        id === undefined || idOf(changed[index]) === id
          ? index
          : changed.findIndex((one) => idOf(one) === id);
      const element = changed[position];
      if (element !== undefined) changed[position] = applyDifference(element, inner);
    }
    return { kind: 'array', elements: changed };
  }
  return made.kind === 'object' ? applyToObject(made, difference) : made;
}

type ObjectTree = Extract<JsonTree, { readonly kind: 'object' }>;

function objectDifference(made: ObjectTree, source: ObjectTree): TreeDifference {
  const [before, after] = [membersOf(made), membersOf(source)];
  const added = [...after].filter(([key]) => !before.has(key));
  const members = [...before].flatMap(([key, one]) => {
    const other = after.get(key);
    const inner = other === undefined ? null : treeDifference(one, other);
    return inner === null ? [] : [[key, inner] as const];
  });
  const wanted = [...after.keys()];
  const natural = [...[...before.keys()].filter((key) => after.has(key)), ...added.map(([key]) => key)];
  return present({
    set: record(added.filter(([, one]) => canBeValue(one)).map(([key, one]) => [key, valueOfTree(one)])),
    set_text: record(added.filter(([, one]) => !canBeValue(one)).map(([key, one]) => [key, textOfTree(one)])),
    drop: record([...before].filter(([key]) => !after.has(key)).map(([key, one]) => [key, valueOfTree(one)])),
    members: record(members),
    order: natural.every((key, index) => key === wanted[index]) ? undefined : wanted,
  });
}

function elementDifferences(
  made: readonly JsonTree[],
  source: readonly JsonTree[],
): readonly ElementDifference[] {
  return made.flatMap((one, index) => {
    const other = source[index];
    const difference = other === undefined ? null : treeDifference(one, other);
    return difference === null ? [] : [present({ index, id: idOf(one), difference })];
  });
}

function applyToObject(made: ObjectTree, difference: TreeDifference): JsonTree {
  const { set = {}, set_text: texts = {}, drop = {}, members = {}, order } = difference;
  const result = new Map<string, JsonTree>();
  for (const { key, value: one } of made.members) {
    const dropped = Object.hasOwn(drop, key) ? drop[key] : undefined;
    if (dropped !== undefined && isSameTree(treeOfValue(dropped), asValue(one))) continue;
    const inner = Object.hasOwn(members, key) ? members[key] : undefined;
    result.set(key, inner === undefined ? one : applyDifference(one, inner));
  }
  for (const [key, one] of Object.entries(set)) if (!result.has(key)) result.set(key, treeOfValue(one));
  for (const [key, text] of Object.entries(texts)) {
    const tree = treeOfText(text);
    if (tree !== null && !result.has(key)) result.set(key, tree);
  }
  const first = (order ?? []).filter((key) => result.has(key));
  const keys = [...new Set([...first, ...result.keys()])];
  return {
    kind: 'object',
    members: keys.flatMap((key) => {
      const one = result.get(key);
      return one === undefined ? [] : [{ key, value: one }];
    }),
  };
}

function treeOfText(text: string): JsonTree | null {
  const scanned = scanJson(text, 500);
  return 'root' in scanned ? scanned.root : null;
}

/** A tree in the order and with the keys that a value of it has. */
function asValue(tree: JsonTree): JsonTree {
  return treeOfValue(valueOfTree(tree));
}

function canBeValue(tree: JsonTree): boolean {
  return isSameTree(asValue(tree), tree);
}

/** Whether no key comes twice, and none is a word that records of keys do not keep. */
function hasPlainKeys({ members }: ObjectTree): boolean {
  const keys = new Set(members.map(({ key }) => key));
  return keys.size === members.length && !keys.has('__proto__');
}

function membersOf({ members }: ObjectTree): ReadonlyMap<string, JsonTree> {
  return new Map(members.map(({ key, value: one }) => [key, one]));
}

function idOf(tree: JsonTree | undefined): string | undefined {
  if (tree?.kind !== 'object') return undefined;
  const found = tree.members.find(({ key }) => key === 'id' || key === 'step_id')?.value;
  return found?.kind === 'string' ? found.value : undefined;
}

function record<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

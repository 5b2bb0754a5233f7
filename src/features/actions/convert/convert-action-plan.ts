import type { ActionPlan } from '../model/action-plan.js';
import type { DialectName } from '../model/dialect.js';
import { dialectOf } from '../model/dialects.js';
import { keysOfPointer } from '../../../kernel/json/json-pointer.js';
import { textOfTree } from '../../../kernel/json/json-tree.js';
import type { JsonTree } from '../../../kernel/json/json-tree.js';
import { isJsonObject, isJsonValue, present } from '../../../kernel/json/json-value.js';
import type { ReadActionPlan } from '../model/read-action-plan.js';
import type { DialectNotes } from './dialect-notes.js';
import { withLosses } from './lost-before.js';
import { withExtension } from './own-extension.js';
import { treeDifference } from './tree-difference.js';
import { composeTree, writeActionPlan } from './write-action-plan.js';
import type { WrittenActionPlan } from './write-action-plan.js';

/** A converted plan. */
export interface ConvertedActionPlan extends WrittenActionPlan {
  /** What a reader should know that is no loss. */
  readonly remarks: readonly string[];
}

/**
 * Writes a plan that was read in a dialect. In its own it is the same bytes. In another, what that has no
 * place for travels in its extension slot, so that there and back gives the original; what it would not do is
 * listed as losses, and whoever calls decides whether they may be.
 * @param isTraced whether what is lost is noted in the document
 * @throws PlanError INVALID_INPUT for a plan that the dialect cannot have at all
 */
export function convertActionPlan(
  given: ReadActionPlan,
  to: DialectName,
  isTraced = false,
): ConvertedActionPlan {
  const read = { ...given, plan: withLosses(given.plan, given.losses) };
  if (read.dialect === to)
    return {
      text: read.document.text,
      sidecar: read.sidecar,
      losses: [],
      renamed: new Map(),
      ignoredNotes: false,
      remarks: [],
    };
  const layout = layoutOf(read.document.text);
  const written = writeActionPlan(withNotes(read, layout, given.plan), to, { from: read.dialect, isTraced });
  const remarks = [
    ...(isCanonical(read, layout)
      ? []
      : [
          'White space and escapes of the source are lost: converting back gives the same JSON with another layout.',
        ]),
    ...(written.ignoredNotes
      ? [
          `The plan’s notes on its earlier ${dialectOf(to).title} document no longer fit the plan, so they are ignored.`,
        ]
      : []),
  ];
  return { ...written, remarks };
}

interface Layout {
  readonly indent: string;
  readonly end: string;
}

/**
 * The plan with notes of its document: all that its dialect says and the model does not.
 * @param said the plan as the document has it, with all that it says that it lost
 */
function withNotes(read: ReadActionPlan, layout: Layout, said: ActionPlan): ActionPlan {
  const { plan, document, body, dialect, variant } = read;
  const own = dialectOf(dialect);
  const source = document.at(body) ?? document.root;
  const noted = variant === null || variant === own.usualVariant(plan) ? undefined : variant;
  const composed = composeTree(withExtension(said, dialect, present({ variant: noted })), own, own);
  const notes: DialectNotes = present({
    variant: noted,
    layout: layout.indent === '  ' && layout.end === '\n' ? undefined : layout,
    wrapper: body === '' ? undefined : wrapperOf(document.root, keysOfPointer(body)),
    difference: treeDifference(composed.tree, source) ?? undefined,
  });
  const extension: unknown = present({ ...notes });
  const isEmpty = Object.keys(notes).length === 0;
  return withExtension(
    plan,
    dialect,
    !isEmpty && isJsonObject(extension) && isJsonValue(extension) ? extension : undefined,
  );
}

function wrapperOf(root: JsonTree, keys: readonly string[]): NonNullable<DialectNotes['wrapper']> {
  return { keys: [...keys], text: textOfTree(emptied(root, keys)) };
}

/** A document with null in place of the plan. */
function emptied(tree: JsonTree, [key, ...rest]: readonly string[]): JsonTree {
  if (key === undefined) return { kind: 'literal', value: null };
  if (tree.kind !== 'object') return tree;
  return {
    kind: 'object',
    members: tree.members.map((member) =>
      member.key === key ? { key, value: emptied(member.value, rest) } : member,
    ),
  };
}

function layoutOf(text: string): Layout {
  const indent = /^[^\n]*\n([ \t]+)/.exec(text)?.[1] ?? '';
  const end = /(?<![ \t\r\n])[ \t\r\n]*$/.exec(text)?.[0] ?? '';
  return { indent, end };
}

function isCanonical({ document }: ReadActionPlan, { indent, end }: Layout): boolean {
  return textOfTree(document.root, indent) + end === document.text;
}

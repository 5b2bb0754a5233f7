import { PlanError } from '../../../kernel/errors.js';
import { anyActionPlanSchema } from '../model/action-plan.js';
import type { ActionPlan } from '../model/action-plan.js';
import { repeatedKeys } from '../model/ambiguities.js';
import type { Dialect, DialectName } from '../model/dialect.js';
import { digestText } from '../model/content-hash.js';
import { dialectOf } from '../model/dialects.js';
import { scanJson } from '../../../kernel/json/json-scanner.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { textOfTree, treeOfValue } from '../../../kernel/json/json-tree.js';
import type { JsonTree } from '../../../kernel/json/json-tree.js';
import { nodeAt } from '../../../kernel/json/json-document.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { beginReading } from '../model/reading.js';
import { dialectNotes } from './dialect-notes.js';
import type { DialectNotes } from './dialect-notes.js';
import { behaviourLosses } from './losses.js';
import type { Loss } from './losses.js';
import { traceOf, withLosses } from './lost-before.js';
import { withExtension } from './own-extension.js';
import { renameSteps, idsFor } from './rename-steps.js';
import { findLeftovers } from './leftovers.js';
import { putLeftovers, openSlots } from './slots.js';
import { translateReferences } from './translate.js';
import { applyDifference } from './tree-difference.js';

/** A plan written in a dialect. */
export interface WrittenActionPlan {
  readonly text: string;
  /** What goes beside it into `*.ext.json`, for a dialect that has no place within; else null. */
  readonly sidecar: string | null;
  /** What the document does not do that the plan does; none where nothing is lost. */
  readonly losses: readonly Loss[];
  /** New ids of steps, by their old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Whether the plan carries notes of an earlier document that would have made another plan of it; they are not followed. */
  readonly ignoredNotes: boolean;
}

export interface WriteOptions {
  /** The dialect that the plan was read from, which says what its strings mean (default: frctl). */
  readonly from?: DialectName | undefined;
  /** Whether what is lost is noted in the document, so that whoever prepares it later is shown it. */
  readonly isTraced?: boolean | undefined;
}

/**
 * Writes a plan in a dialect. Data that the dialect has no place for travels in its extension slot; behaviour
 * that it cannot say is listed as losses, all of them.
 * @throws PlanError INVALID_INPUT for a plan that the dialect cannot have at all, such as one without a step
 */
export function writeActionPlan(
  plan: ActionPlan,
  dialect: DialectName,
  options: WriteOptions = {},
): WrittenActionPlan {
  const target = dialectOf(dialect);
  const composed = composeTree(plan, target, dialectOf(options.from ?? 'frctl'), options.isTraced);
  const { tree, notes } = composed;
  const noted = asNoted(tree, notes);
  const isFaithful = noted === tree || saysTheSame(noted, composed, target);
  const { indent = '  ', end = '\n' } = notes.layout ?? {};
  return {
    text: `${textOfTree(isFaithful ? noted : tree, indent)}${end}`,
    sidecar: composed.sidecar === null ? null : `${textOfJson(composed.sidecar, '  ')}\n`,
    losses: composed.losses,
    renamed: composed.renamed,
    ignoredNotes: !isFaithful,
  };
}

/** What was composed, as the notes of the document that it once came from have it. */
function asNoted(tree: JsonTree, notes: DialectNotes): JsonTree {
  const changed = notes.difference === undefined ? tree : applyDifference(tree, notes.difference);
  return notes.wrapper === undefined ? changed : wrapped(changed, notes.wrapper);
}

/**
 * Whether a document is read as the same plan as what was composed. Notes travel in a plan that anybody may have written; they
 * may say how the document looked, and never what the plan does.
 */
function saysTheSame(noted: JsonTree, { tree, sidecar }: Composed, target: Dialect): boolean {
  const [wanted, given] = [tree, noted].map((one) => meaningOf(textOfTree(one), sidecar, target));
  return wanted != null && wanted === given;
}

/** What a document does, in the words of the digest; null for what the dialect does not read. */
function meaningOf(text: string, sidecar: JsonObject | null, target: Dialect): string | null {
  const plan = readAgain(text, sidecar, target);
  if (plan === null) return null;
  // Where a dialect has several spellings of one reference, they mean the same.
  const { plan: translated } = translateReferences(plan, target, dialectOf('frctl'), new Map());
  return digestText(translated, 'frctl');
}

function readAgain(text: string, sidecar: JsonObject | null, target: Dialect): ActionPlan | null {
  const scanned = scanJson(text, Number.MAX_SAFE_INTEGER);
  if ('problem' in scanned) return null;
  const pointer = target.find(scanned.root);
  const node = pointer === null ? null : nodeAt(scanned.root, pointer);
  if (pointer === null || node === null || !repeatedKeys(scanned.root).next().done) return null;
  const reading = beginReading();
  const { plan } = target.read({ node, pointer }, reading);
  return reading.problems.length > 0 ? null : openSlots(plan, target, sidecar ?? undefined);
}

/** What a plan comes to in a dialect before the notes of an earlier document are followed. */
export interface Composed {
  readonly tree: JsonTree;
  readonly sidecar: JsonObject | null;
  readonly losses: readonly Loss[];
  readonly renamed: ReadonlyMap<string, string>;
  readonly notes: DialectNotes;
}

/**
 * Writes a plan, and what the dialect cannot say of it into its slot.
 * @param isTraced whether what is lost is noted in it
 * @throws PlanError INVALID_INPUT
 */
export function composeTree(plan: ActionPlan, target: Dialect, source: Dialect, isTraced = false): Composed {
  const noted = dialectNotes(plan, target.name);
  const notes = noted ?? {};
  const own = noted === null ? plan : withExtension(plan, target.name, undefined);
  // What was lost is none of the notes of a document.
  const bare = inOrder(withLosses(own, traceOf(plan)));
  const renamed = idsFor(bare, target);
  const { plan: wanted, losses } = translateReferences(renameSteps(bare, renamed), source, target, renamed);
  const variant = notes.variant ?? null;
  const said = readBack(target, target.write(wanted, variant));
  const lost = [...losses, ...behaviourLosses(wanted, said, target)];
  const whole = isTraced ? withLosses(wanted, [...traceOf(wanted), ...lost]) : wanted;
  const leftovers = findLeftovers(whole, said);
  const carried =
    leftovers === null ? { plan: whole, sidecar: null } : putLeftovers(whole, leftovers, target);
  return {
    tree: treeOfValue(target.write(carried.plan, variant)),
    sidecar: carried.sidecar,
    losses: lost.map((loss) => withOldId(loss, renamed)),
    renamed,
    notes,
  };
}

/** Losses name a step as the plan that was given does. */
function withOldId(loss: Loss, renamed: ReadonlyMap<string, string>): Loss {
  const old = [...renamed].find(([, id]) => id === loss.step)?.[0];
  return old === undefined ? loss : { ...loss, step: old };
}

/** The plan with its members in the order of the schema, whichever way it has come. */
function inOrder(plan: ActionPlan): ActionPlan {
  return anyActionPlanSchema.safeParse(plan).data ?? plan;
}

function readBack(target: Dialect, json: JsonObject): ActionPlan {
  const scanned = scanJson(textOfJson(json), Number.MAX_SAFE_INTEGER);
  const reading = beginReading();
  const read =
    'root' in scanned ? target.read({ node: scanned.root, pointer: '' }, reading).plan : { steps: [] };
  const [first] = reading.problems;
  if (first === undefined) return read;
  throw new PlanError(
    'INVALID_INPUT',
    `this plan cannot be written for ${target.title}: ${first.message} (${first.pointer === '' ? 'the whole' : first.pointer})`,
    { details: { problems: reading.problems.slice(0, 50) } },
  );
}

/** Puts a plan back into what it was wrapped in. */
function wrapped(
  tree: JsonTree,
  { keys, text }: { readonly keys: readonly string[]; readonly text: string },
): JsonTree {
  const scanned = scanJson(text, 500);
  return 'root' in scanned ? replaced(scanned.root, keys, tree) : tree;
}

function replaced(outer: JsonTree, [key, ...rest]: readonly string[], tree: JsonTree): JsonTree {
  if (key === undefined) return tree;
  if (outer.kind !== 'object') return outer;
  return {
    kind: 'object',
    members: outer.members.map((member) =>
      member.key === key ? { key, value: replaced(member.value, rest, tree) } : member,
    ),
  };
}

import type { ActionPlan } from '../model/action-plan.js';
import { dialectOf } from '../model/dialects.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import type { Effects } from '../tools/bindings.js';
import type { DraftFinding } from '../tools/draft-finding.js';
import type { ReadActionPlan } from '../model/read-action-plan.js';
import { dependencyGraph } from './graph/dependency-graph.js';
import type { DependencyGraph } from './graph/dependency-graph.js';
import type { Region } from './finding.js';
import { stepLinks } from './graph/links.js';
import type { Link } from './graph/links.js';
import { rawOffsets } from './raw-offset.js';
import { scopesOf } from '../model/scopes.js';
import type { Scope, ScopedStep } from '../model/scopes.js';

/** What a rule looks at: a plan with its document, the policy, and who needs whom. */
export interface Subject {
  readonly read: ReadActionPlan;
  readonly plan: ActionPlan;
  readonly policy: PreparedPolicy;
  /** The tools that are bound; null where nobody has said. */
  readonly tools: KnownTools | null;
  /** The plan and those nested in it. */
  readonly scopes: readonly Scope[];
  /** Every step, those of fallbacks and nested plans included. */
  readonly steps: readonly ScopedStep[];
  readonly links: readonly Link[];
  /** One a scope. */
  readonly graphs: readonly DependencyGraph[];
  /** Whether two steps need each other, directly or by way of others: then LOOP_DETECTED speaks of them. */
  readonly areInOneLoop: (a: ScopedStep, b: ScopedStep) => boolean;
  /** The node of the document at a place of the model, or null. */
  readonly nodeAt: (model: JsonPointer) => JsonNode | null;
  /** Where a place of the model is in the text; of one that is not there, the nearest above it. */
  readonly placeOf: (model: JsonPointer) => Region;
  /** Where a part of a string is in the text, by its offsets in the string. */
  readonly placeWithin: (model: JsonPointer, start: number, end: number) => Region;
}

/** What is known of the tools that steps may use. */
export interface KnownTools {
  readonly effectsOf: (tool: string) => Effects | undefined;
  /** What is wrong with the tools and arguments of a plan. */
  readonly check: (plan: ActionPlan) => readonly DraftFinding[];
}

/** Makes a plan ready for the rules. */
export function createSubject(
  read: ReadActionPlan,
  policy: PreparedPolicy,
  tools: KnownTools | null = null,
): Subject {
  const { plan, document } = read;
  const scopes = scopesOf(plan);
  const syntax = dialectOf(read.dialect).references;
  const links = scopes.flatMap((scope) => stepLinks(scope, syntax));
  const leading = byTarget(links);
  const graphs = scopes.map((scope) => dependencyGraph(scope, leading.get(scope) ?? []));
  const graphOf = new Map(graphs.map((graph) => [graph.scope, graph]));
  const nodeAt = (model: JsonPointer) => document.at(read.pointerOf(model));
  const placeOf = (model: JsonPointer): Region => {
    let pointer = read.pointerOf(model);
    let node = document.at(pointer);
    while (node === null) {
      pointer = pointer.slice(0, pointer.lastIndexOf('/'));
      node = document.at(pointer);
    }
    return { pointer, start: node.start, end: node.end };
  };
  let lastString: { readonly node: JsonNode; readonly at: (offset: number) => number } | undefined;
  return {
    read,
    plan,
    policy,
    tools,
    scopes,
    steps: scopes.flatMap(({ steps }) => steps),
    links,
    graphs,
    areInOneLoop: (a, b) => graphOf.get(a.scope)?.inOneLoop(a, b) === true,
    nodeAt,
    placeOf,
    placeWithin(model, start, end) {
      const region = placeOf(model);
      const node = nodeAt(model);
      if (node?.kind !== 'string') return region;
      // A rule asks for the parts of one string in a row.
      if (lastString?.node !== node) lastString = { node, at: rawOffsets(document.text, node) };
      const { at } = lastString;
      return { pointer: region.pointer, start: at(start), end: at(end) };
    },
  };
}

function byTarget(links: readonly Link[]): ReadonlyMap<Scope, readonly Link[]> {
  const leading = new Map<Scope, Link[]>();
  for (const link of links) {
    if (link.to === null) continue;
    const known = leading.get(link.to.scope);
    if (known === undefined) leading.set(link.to.scope, [link]);
    else known.push(link);
  }
  return leading;
}

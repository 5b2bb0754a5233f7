import { goalGraph } from '../plan/goal-graph.js';
import type { Plan } from '../plan/plan.js';
import { summarize } from '../plan/plan.js';
import { printable } from '../kernel/text/safe-text.js';
import { escapeMarkup } from './escape-markup.js';
import { goalRows } from './goal-rows.js';
import type { GoalRow } from './goal-rows.js';

/** What a node carries, with its type; the rest of a row is in the node's `id` and in the edges. */
const NODE_FIELDS = [
  ['number', 'string'],
  ['depth', 'int'],
  ['status', 'string'],
  ['description', 'string'],
  ['tokens_used', 'long'],
  ['reasoning', 'string'],
  ['digest', 'string'],
  ['failure', 'string'],
  ['source', 'string'],
  ['created_at', 'string'],
  ['updated_at', 'string'],
  ['acceptance', 'string'],
  ['size', 'string'],
  ['priority', 'int'],
  ['on_hold', 'string'],
  ['touches', 'string'],
  ['graph_node_id', 'string'],
  ['decisions', 'string'],
  ['missing', 'string'],
] as const;

/**
 * GraphML 1.0, a directed graph with typed attributes: one node a goal with its fields, an edge from
 * parent to child (`kind` is `child`) and one from each dependency to the goal that waits for it
 * (`dependency`). A field that is null is left out.
 */
export function toGraphml(plan: Plan): string {
  const { id, description, status } = summarize(plan);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    key('graph', 'plan_description', 'string'),
    key('graph', 'plan_status', 'string'),
    ...NODE_FIELDS.map(([name, type]) => key('node', name, type)),
    key('edge', 'kind', 'string'),
    `  <graph id="${id}" edgedefault="directed">`,
    `    ${data('plan_description', printable(description))}${data('plan_status', status)}`,
    ...goalRows(plan).map(nodeOf),
    ...goalGraph(plan).mapEdges(
      (_edge, { kind }, from, to) => `    <edge source="${from}" target="${to}">${data('kind', kind)}</edge>`,
    ),
    '  </graph>',
    '</graphml>\n',
  ].join('\n');
}

function key(owner: string, name: string, type: string): string {
  return `  <key id="${name}" for="${owner}" attr.name="${name}" attr.type="${type}"/>`;
}

function nodeOf(row: GoalRow): string {
  const fields = NODE_FIELDS.map(([name]) => (row[name] === null ? '' : data(name, row[name])));
  return `    <node id="${row.id}">${fields.join('')}</node>`;
}

function data(name: string, value: string | number): string {
  return `<data key="${name}">${escapeMarkup(String(value))}</data>`;
}

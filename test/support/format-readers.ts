import { parse as parseDotAst } from '@ts-graphviz/ast';
import { decode } from '@toon-format/toon';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { parse as parseCsv } from 'csv-parse/sync';
import { DirectedGraph } from 'graphology';
import { parse as parseGraphml } from 'graphology-graphml';
import type { List, ListItem, PhrasingContent, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { html, parse as parseHtml } from 'parse5';
import type { DefaultTreeAdapterTypes, ParserError } from 'parse5';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { z } from 'zod';

import { planFileSchema } from '../../src/plan/schema.js';

/** What a format's own reader found of a goal. */
export interface ReadGoal {
  /** The id, or its suffix where the format shows no more. */
  readonly id: string;
  readonly text: string;
}

/** What a format's own reader found; edges are `parent > child` and `dependency before goal`. */
export interface ReadPlan {
  readonly goals: readonly ReadGoal[];
  readonly edges: readonly string[];
}

const rowSchema = z.looseObject({
  id: z.string(),
  parent_id: z.string().nullable(),
  description: z.string(),
  dependencies: z.string(),
});

/** Reads with JSON.parse and the plan file's schema. */
export function readJson(text: string): ReadPlan {
  const { goals } = planFileSchema.parse(JSON.parse(text));
  const rows = Object.values(goals).map((goal) => ({ ...goal, dependencies: goal.dependencies.join(' ') }));
  return planOfRows(rows);
}

/** Reads with csv-parse, which refuses records of uneven length. */
export function readCsv(text: string): ReadPlan {
  const rows = z.array(rowSchema).parse(parseCsv(text, { columns: true }));
  return planOfRows(rows.map((row) => ({ ...row, parent_id: row.parent_id === '' ? null : row.parent_id })));
}

/** Reads each line as an issue, by the members that beads documents. */
export function readBeads(text: string): ReadPlan {
  const issues = text
    .trimEnd()
    .split('\n')
    .map((line) => issueSchema.parse(JSON.parse(line)));
  return planOfRows(
    issues.map(({ id, title, dependencies = [] }) => {
      const on = (type: string) =>
        dependencies.filter((link) => link.type === type).map(({ depends_on_id }) => depends_on_id);
      return {
        id,
        description: title,
        parent_id: on('parent-child')[0] ?? null,
        dependencies: on('blocks').join(' '),
      };
    }),
  );
}

const issueSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  status: z.enum(['open', 'in_progress', 'blocked', 'closed']),
  priority: z.int().min(0).max(4),
  issue_type: z.enum(['bug', 'feature', 'task', 'epic', 'chore']),
  dependencies: z
    .array(
      z.object({ issue_id: z.string(), depends_on_id: z.string(), type: z.enum(['blocks', 'parent-child']) }),
    )
    .optional(),
});

/** Reads the tasks and subtasks of all tags, by the members that Task Master writes. */
export function readTaskMaster(text: string): ReadPlan {
  const lists = Object.values(
    z.record(z.string(), z.object({ tasks: z.array(taskSchema) })).parse(JSON.parse(text)),
  );
  const goals = lists.flatMap(({ tasks }) =>
    tasks.flatMap(({ id, title, subtasks }) => [
      { id: String(id), text: title },
      ...subtasks.map((each) => ({ id: `${id}.${each.id}`, text: each.title })),
    ]),
  );
  return { goals, edges: [] };
}

const subtaskSchema = z.object({
  id: z.int().positive(),
  title: z.string().min(1),
  description: z.string(),
  details: z.string(),
  testStrategy: z.string(),
  status: z.enum([
    'pending',
    'done',
    'in-progress',
    'review',
    'deferred',
    'cancelled',
    'blocked',
    'completed',
  ]),
  dependencies: z.array(z.union([z.number(), z.string()])),
});
const taskSchema = subtaskSchema.extend({ subtasks: z.array(subtaskSchema) });

/** Reads issues and the lines of their task lists that name no other issue. */
export function readGitHub(text: string): ReadPlan {
  const issues = z
    .array(
      z.object({
        number: z.int().positive(),
        title: z.string().min(1),
        body: z.string(),
        state: z.enum(['OPEN', 'CLOSED']),
        labels: z.array(z.object({ name: z.string() })),
      }),
    )
    .parse(JSON.parse(text));
  const goals = issues.flatMap(({ number, title, body }) => [
    { id: String(number), text: title },
    ...[...body.replace(/### Acceptance criteria\n[^]*$/, '').matchAll(/^- \[[ x]\] (?!#\d)(.+)$/gm)].map(
      ([, item = ''], index) => ({ id: `${number} ${index}`, text: item }),
    ),
  ]);
  return { goals, edges: [] };
}

/** Reads with the format's reference decoder in strict mode. */
export function readToon(text: string): ReadPlan {
  return planOfRows(z.object({ goals: z.array(rowSchema) }).parse(decode(text)).goals);
}

function planOfRows(rows: readonly z.infer<typeof rowSchema>[]): ReadPlan {
  return {
    goals: rows.map(({ id, description }) => ({ id, text: description })),
    edges: rows.flatMap(({ id, parent_id, dependencies }) => [
      ...(parent_id === null ? [] : [`${parent_id} > ${id}`]),
      ...dependencies
        .split(' ')
        .filter(Boolean)
        .map((dependency) => `${dependency} before ${id}`),
    ]),
  };
}

/** Reads with an XML parser that stops at the first error, then with graphology's GraphML reader. */
export function readGraphml(text: string): ReadPlan {
  new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, 'text/xml');
  const graph = parseGraphml(DirectedGraph, text);
  return {
    goals: graph.mapNodes((id, fields) => ({ id, text: String(fields['description']) })),
    edges: graph.mapEdges((_edge, { kind }, from, to) => edgeOf(kind === 'child', from, to)),
  };
}

/** Reads with an XML parser that stops at the first error; nothing in it may run or be fetched. */
export function readSvg(text: string): ReadPlan {
  const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, 'image/svg+xml');
  const all = (name: string) => [...document.getElementsByTagName(name)];
  for (const { tagName, attributes } of all('*')) {
    if (!['svg', 'title', 'defs', 'marker', 'path', 'rect', 'g', 'text'].includes(tagName))
      throw new Error(`unexpected <${tagName}>`);
    for (const { name } of attributes) if (/^on|href/i.test(name)) throw new Error(`unexpected ${name}`);
  }
  return {
    goals: all('g')
      .filter((group) => group.hasAttribute('id'))
      .map((group) => ({
        id: group.getAttribute('id') ?? '',
        text: (group.getElementsByTagName('title')[0]?.textContent ?? '').replace(
          / \[[a-z ]+\](?:\nDone when: .*)*$/,
          '',
        ),
      })),
    edges: all('path')
      .filter((path) => path.hasAttribute('data-from'))
      .map((path) =>
        edgeOf(
          path.getAttribute('class') === 'child',
          path.getAttribute('data-from') ?? '',
          path.getAttribute('data-to') ?? '',
        ),
      ),
  };
}

/** Reads with the parser of ts-graphviz, then undoes the escapes and entities that Graphviz undoes in labels. */
export function readDot(text: string): ReadPlan {
  const [graph] = parseDotAst(text).children;
  if (graph?.type !== 'Graph') throw new Error('not one graph');
  const goals: ReadGoal[] = [];
  const edges: string[] = [];
  for (const statement of graph.children) {
    if (statement.type === 'Node') {
      const label = statement.children.find(
        (child) => child.type === 'Attribute' && child.key.value === 'label',
      );
      if (label?.type !== 'Attribute' || !label.value.quoted || label.value.quoted === 'html')
        throw new Error('label is no quoted string');
      goals.push({ id: statement.id.value, text: withoutLabel(labelText(label.value.value)) });
    } else if (statement.type === 'Edge') {
      const [from, to] = statement.targets.map((target) => ('id' in target ? target.id.value : ''));
      edges.push(edgeOf(statement.children.length === 0, from ?? '', to ?? ''));
    } else if (statement.type !== 'AttributeList') throw new Error(`unexpected ${statement.type}`);
  }
  return { goals, edges };
}

function labelText(label: string): string {
  return label
    .replaceAll(/\\(.)/gs, (_escape, escaped: string) => (escaped === 'n' ? ' ' : escaped))
    .replaceAll('&amp;', '&');
}

/**
 * Checks every line against the grammar that the export is meant to use: a strict stand-in, since
 * Mermaid's own parser needs a browser's DOM.
 */
export function readMermaid(text: string): ReadPlan {
  const [first, ...lines] = text.trimEnd().split('\n');
  if (first !== 'flowchart TD') throw new Error('no flowchart');
  const goals: ReadGoal[] = [];
  const edges: string[] = [];
  for (const line of lines) {
    const node = /^ {2}g_(\w+)\["((?:#\d+;|[^\s!-+:-@[-`{-~]| )*)"\]:::[a-z_]+$/.exec(line);
    const edge = /^ {2}g_(\w+) (-->|-\.->) g_(\w+)$/.exec(line);
    if (node !== null) goals.push({ id: node[1] ?? '', text: withoutLabel(decodeMermaid(node[2] ?? '')) });
    else if (edge !== null) edges.push(edgeOf(edge[2] === '-->', edge[1] ?? '', edge[3] ?? ''));
    else if (/^ {2}%% (?:g_\w+ is done when|decided for g_\w+): (?:#\d+;|[^\s!-+:-@[-`{-~]| )*$/.test(line))
      continue;
    else if (/^ {2}%% \d+ goals? [\w ]+ left out$/.test(line)) continue;
    else if (!/^ {2}classDef [a-z_]+ [\w:#,]+$/.test(line)) throw new Error(`not in the grammar: ${line}`);
  }
  return { goals, edges };
}

function decodeMermaid(label: string): string {
  return label.replaceAll(/#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)));
}

function withoutLabel(text: string): string {
  return text.slice(text.indexOf(' · ') + 3);
}

function edgeOf(isChild: boolean, from: string, to: string): string {
  return isChild ? `${from} > ${to}` : `${from} before ${to}`;
}

const markdown = unified().use(remarkParse).use(remarkGfm);

/**
 * Reads with remark and GFM. Every item must be a task, and its text plain; only a bare web or mail
 * address may be a link, as remark finds those in any plain text.
 */
export function readMarkdown(text: string): ReadPlan {
  return readTaskList(text, (item) => typeof item.checked === 'boolean');
}

/**
 * Reads with remark what is left without the checkboxes, as some readers parse what follows one: there a
 * description begins a block.
 */
export function readMarkdownBehindBoxes(text: string): ReadPlan {
  return readTaskList(text.replaceAll(/^( *- )\[[ x]\] /gm, '$1'), (item) => item.checked === null);
}

function readTaskList(text: string, isExpected: (item: ListItem) => boolean): ReadPlan {
  const blocks = markdown.parse(text).children;
  const list = blocks[2];
  const types = blocks.map((block) => block.type).join();
  if (!/^heading,paragraph,list(?:,paragraph)*$/.test(types) || list?.type !== 'list')
    throw new Error('not a heading, a paragraph, a list and paragraphs');
  blocks.slice(3).forEach(readBehind);
  const goals: ReadGoal[] = [];
  const edges: string[] = [];
  readItems(list, null);
  return { goals, edges };

  function readItems(items: List, parent: string | null): void {
    for (const item of items.children) {
      if (!isExpected(item)) throw new Error('an item has no box, or one too many');
      const goal = readItem(item);
      goals.push(goal);
      if (parent !== null) edges.push(`${parent} > ${goal.id}`);
      const below = item.children[1];
      if (below?.type === 'list') readItems(below, goal.id);
    }
  }
}

/** Holds that what stands behind the list begins with bold words and is plain text, with ids as code. */
function readBehind(block: RootContent): void {
  const [title, ...words] = block.type === 'paragraph' ? block.children : [];
  if (title?.type !== 'strong' || !words.every((word) => word.type === 'inlineCode' || isPlain(word)))
    throw new Error('what is behind the list is not plain text');
}

function readItem(item: ListItem): ReadGoal {
  const [paragraph] = item.children;
  if (paragraph?.type !== 'paragraph') throw new Error('not a paragraph');
  const types = item.children.map((child: RootContent) => child.type).join();
  if (types !== 'paragraph' && types !== 'paragraph,list') throw new Error(`an item holds ${types}`);
  const end = paragraph.children.findIndex((child) => child.type === 'inlineCode');
  const words = paragraph.children.slice(0, end);
  if (!words.every((word) => isPlain(word))) throw new Error('an item is not plain text');
  return { id: toString(paragraph.children[end]), text: toString(words).trim() };
}

function isPlain(node: PhrasingContent): boolean {
  return node.type === 'text' || (node.type === 'link' && /^(https?|mailto|xmpp):/.test(node.url));
}

const HTML_ELEMENTS = new Set(
  'html head meta title style body header h1 h2 p code time progress div dl dt dd main ul li details summary span a'.split(
    ' ',
  ),
);

/** Reads with parse5, and throws at any parse error, element or attribute that the export does not write. */
export function readHtml(text: string): ReadPlan {
  const errors: ParserError[] = [];
  const document = parseHtml(text, {
    onParseError: (error) => errors.push(error),
    sourceCodeLocationInfo: true,
  });
  if (errors.length > 0) throw new Error(`HTML: ${errors[0]?.code}`);
  const goals: ReadGoal[] = [];
  const edges: string[] = [];
  readNode(document, null);
  return { goals, edges };

  function readNode(node: DefaultTreeAdapterTypes.ParentNode, goalId: string | null): void {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue;
      const goal = readElement(child, goalId);
      readNode(child, goal);
    }
  }

  function readElement(element: DefaultTreeAdapterTypes.Element, parent: string | null): string | null {
    const attributes = new Map(element.attrs.map(({ name, value }) => [name, value]));
    if (!HTML_ELEMENTS.has(element.tagName) || element.namespaceURI !== html.NS.HTML)
      throw new Error(`<${element.tagName}>`);
    const forbidden = [...attributes.keys()].find(
      (name) => name.startsWith('on') || ['src', 'style'].includes(name),
    );
    if (forbidden !== undefined) throw new Error(`attribute ${forbidden}`);
    const target = attributes.get('href');
    if (target !== undefined) {
      if (!target.startsWith('#')) throw new Error(`link to ${target}`);
      if (parent !== null) edges.push(`${target.slice(1)} before ${parent}`);
    }
    if (attributes.get('class') === 'description')
      goals.push({ id: parent ?? '', text: textContent(element) });
    const id = element.tagName === 'li' ? attributes.get('id') : undefined;
    if (id === undefined) return parent;
    if (parent !== null) edges.push(`${parent} > ${id}`);
    return id;
  }
}

function textContent(element: DefaultTreeAdapterTypes.Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

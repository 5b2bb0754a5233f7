import { memberOf } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import { scanJson } from '../../../kernel/json/json-scanner.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { beginReading } from '../model/reading.js';
import type { Cursor, Reading } from '../model/reading.js';

/** Notes what is wrong with a value. @param name what it is called in messages */
type Shape = (cursor: Cursor, name: string, reading: Reading) => void;

/**
 * A member of an object. `may be left out`: then a default counts. `may be null`: that as well. `ought to be there`:
 * SoulBrowser refuses a plan without it, though it decides nothing; so it can be read, and is a deviation.
 */
type Presence = 'required' | 'may be left out' | 'may be null' | 'ought to be there';
type Members = Readonly<Record<string, readonly [Shape, Presence]>>;

/** How deep the JSON reader of SoulBrowser goes. */
const MOST_LEVELS = 127;

const text: Shape = ({ node, pointer }, name, reading) => {
  if (node.kind !== 'string') reading.problem(pointer, `${name} must be a string`);
  else if (/\p{Cs}/u.test(node.value))
    reading.problem(pointer, `${name} must be a string without halves of surrogate pairs`);
};
const flag: Shape = ({ node, pointer }, name, reading) => {
  if (node.kind !== 'literal' || node.value === null)
    reading.problem(pointer, `${name} must be true or false`);
};
const u64 = integer(0n, 2n ** 64n - 1n, 'a whole number of at least 0');
const i32 = integer(-(2n ** 31n), 2n ** 31n - 1n, 'a whole number of 32 bits');
const json: Shape = ({ node, pointer }, name, reading) => {
  if (!isReadable(node))
    reading.problem(
      pointer,
      `${name} must be JSON without halves of surrogate pairs whose numbers a double can hold`,
    );
};
const map: Shape = (cursor, name, reading) => {
  if (cursor.node.kind !== 'object') reading.problem(cursor.pointer, `${name} must be an object`);
  else json(cursor, name, reading);
};

const locator = oneOf({
  Css: text,
  Aria: members({ role: [text, 'required'], name: [text, 'required'] }),
  Text: members({ content: [text, 'required'], exact: [flag, 'required'] }),
});
const condition = oneOf({
  ElementVisible: locator,
  ElementHidden: locator,
  UrlMatches: text,
  UrlEquals: text,
  TitleMatches: text,
  NetworkIdle: u64,
  Duration: u64,
});
const scrollTarget = oneOf({ Top: null, Bottom: null, Selector: locator, Pixels: i32 });
const KINDS: Readonly<Record<string, Shape>> = {
  Navigate: members({ url: [text, 'required'] }),
  Click: members({ locator: [locator, 'required'] }),
  TypeText: members({
    locator: [locator, 'required'],
    text: [text, 'required'],
    submit: [flag, 'required'],
  }),
  Select: members({
    locator: [locator, 'required'],
    value: [text, 'required'],
    method: [text, 'may be null'],
  }),
  Scroll: members({ target: [scrollTarget, 'required'] }),
  Wait: members({ condition: [condition, 'required'] }),
  Custom: members({ name: [text, 'required'], payload: [json, 'required'] }),
  Done: members({ success: [flag, 'required'], text: [text, 'required'] }),
};
/** The second spelling of each is that of models' replies. */
const wait = oneOf({ None: null, none: null, DomReady: null, dom_ready: null, Idle: null, idle: null });
const tool = members({
  kind: [oneOf(KINDS), 'required'],
  wait: [wait, 'may be left out'],
  timeout_ms: [u64, 'may be null'],
});
const validation = members({
  description: [text, 'ought to be there'],
  condition: [condition, 'required'],
});
const step = members({
  id: [text, 'required'],
  title: [text, 'required'],
  detail: [text, 'ought to be there'],
  tool: [tool, 'required'],
  validations: [listOf(validation), 'may be left out'],
  requires_approval: [flag, 'may be left out'],
  metadata: [map, 'may be left out'],
});
const meta = members({
  rationale: [listOf(text), 'ought to be there'],
  risk_assessment: [listOf(text), 'ought to be there'],
  vendor_context: [map, 'ought to be there'],
  overlays: [listOf(json), 'may be left out'],
});
const plan = members({
  task_id: [text, 'required'],
  title: [text, 'required'],
  description: [text, 'ought to be there'],
  created_at: [text, 'ought to be there'],
  meta: [meta, 'may be left out'],
  steps: [listOf(step), 'required'],
});

/**
 * Checks the shape of a plan as SoulBrowser itself reads it: what must be there, types, tags that it knows, the
 * ranges of its integers; unknown members are allowed. What is wrong is noted as a problem, and as a deviation
 * where something is missing that decides nothing.
 */
export function checkSoulBrowserPlan(body: Cursor, reading: Reading): void {
  plan(body, 'the plan', reading);
  if (isDeeper(body.node, MOST_LEVELS))
    reading.problem(body.pointer, `the plan is nested deeper than the ${MOST_LEVELS} levels that are read`);
}

/** Whether the body of a tool has the shape in which SoulBrowser reads its kind. */
export function isSoulBrowserKind(tag: string, body: JsonValue): boolean {
  return fits(oneOf(KINDS), { [tag]: body });
}

/** Whether a condition has a shape that SoulBrowser reads. */
export function isSoulBrowserCondition(tag: string, value: JsonValue): boolean {
  return fits(condition, { [tag]: value });
}

function fits(shape: Shape, value: JsonValue): boolean {
  const scanned = scanJson(textOfJson(value), MOST_LEVELS);
  if ('problem' in scanned) return false;
  const reading = beginReading();
  shape({ node: scanned.root, pointer: '' }, '', reading);
  return reading.problems.length === 0;
}

function members(shapes: Members): Shape {
  return (cursor, name, reading) => {
    if (cursor.node.kind !== 'object') {
      reading.problem(cursor.pointer, `${name} must be an object`);
      return;
    }
    for (const [key, [shape, presence]] of Object.entries(shapes)) {
      const node = memberOf(cursor.node, key);
      if (node === null) noteAbsence(cursor, key, presence, reading);
      else if (!(presence === 'may be null' && isNull(node)))
        shape({ node, pointer: pointerTo(cursor.pointer, key) }, key, reading);
    }
  };
}

function noteAbsence({ pointer }: Cursor, key: string, presence: Presence, reading: Reading): void {
  if (presence === 'required') reading.problem(pointer, `${key} is missing`);
  if (presence === 'ought to be there') reading.deviation(pointer, `${key} is missing`);
}

/** `{"Tag": value}`; a tag that holds nothing stands alone, as `"Tag"`, or holds null. */
function oneOf(variants: Readonly<Record<string, Shape | null>>): Shape {
  return (cursor, name, reading) => {
    const tagged = tagOf(cursor);
    if (tagged === null) {
      reading.problem(cursor.pointer, `${name} must be an object with one key that says which it is`);
      return;
    }
    const { tag, value } = tagged;
    const shape = Object.hasOwn(variants, tag) ? variants[tag] : undefined;
    const known = Object.keys(variants).join(', ');
    if (shape === undefined)
      reading.problem(cursor.pointer, `${name} ${JSON.stringify(truncate(tag, 40))} is none of ${known}`);
    else if (shape === null) {
      if (value !== null && !isNull(value.node)) reading.problem(value.pointer, `${tag} holds nothing`);
    } else if (value === null) reading.problem(cursor.pointer, `${tag} must hold a value`);
    else shape(value, tag, reading);
  };
}

function tagOf({ node, pointer }: Cursor): { readonly tag: string; readonly value: Cursor | null } | null {
  if (node.kind === 'string') return { tag: node.value, value: null };
  const [member, ...more] = node.kind === 'object' ? node.members : [];
  if (member === undefined || more.length > 0) return null;
  return { tag: member.key, value: { node: member.value, pointer: pointerTo(pointer, member.key) } };
}

function listOf(shape: Shape): Shape {
  return ({ node, pointer }, name, reading) => {
    if (node.kind !== 'array') {
      reading.problem(pointer, `${name} must be a list`);
      return;
    }
    for (const [index, element] of node.elements.entries())
      shape({ node: element, pointer: pointerTo(pointer, index) }, `an element of ${name}`, reading);
  };
}

function integer(least: bigint, greatest: bigint, wanted: string): Shape {
  return ({ node, pointer }, name, reading) => {
    const value = node.kind === 'number' && /^-?\d{1,20}$/.test(node.text) ? BigInt(node.text) : null;
    // The reader takes -0 for a float.
    const isWithin = value !== null && value >= least && value <= greatest && node.kind === 'number';
    if (!isWithin || node.text === '-0') reading.problem(pointer, `${name} must be ${wanted}`);
  };
}

function isReadable(node: JsonNode): boolean {
  switch (node.kind) {
    case 'number':
      return Number.isFinite(Number(node.text));
    case 'string':
      return !/\p{Cs}/u.test(node.value);
    case 'array':
      return node.elements.every(isReadable);
    case 'object':
      return node.members.every(({ key, value }) => !/\p{Cs}/u.test(key) && isReadable(value));
    default:
      return true;
  }
}

function isDeeper(node: JsonNode, levels: number): boolean {
  if (node.kind !== 'object' && node.kind !== 'array') return false;
  if (levels === 0) return true;
  const inner = node.kind === 'array' ? node.elements : node.members.map(({ value }) => value);
  return inner.some((one) => isDeeper(one, levels - 1));
}

function isNull(node: JsonNode): boolean {
  return node.kind === 'literal' && node.value === null;
}

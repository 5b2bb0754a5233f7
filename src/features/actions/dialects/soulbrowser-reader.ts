import type { ActionPlan, ActionStep, Check } from '../model/action-plan.js';
import type { DialectReading } from '../model/dialect.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import { isJsonObject, present, unlessEmpty, withoutMembers } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { noteSources, valueRead } from '../model/reading.js';
import type { Cursor, Reading } from '../model/reading.js';
import { checkSoulBrowserPlan, isSoulBrowserKind } from '../soulbrowser/soulbrowser-shapes.js';
import { hasSeconds, isRfc3339Time } from './times.js';

/** Both spellings of what is waited for: stored plans have the first of each, replies of models the second. */
const WAITS: ReadonlyMap<string, NonNullable<ActionStep['wait']>> = new Map([
  ['None', 'none'],
  ['none', 'none'],
  ['DomReady', 'dom_ready'],
  ['dom_ready', 'dom_ready'],
  ['Idle', 'idle'],
  ['idle', 'idle'],
] as const);

/**
 * The reader of SoulBrowser plans, as strict as SoulBrowser's own; what is missing though it decides nothing, such
 * as a description or a part of `meta`, is a deviation.
 */
export function readSoulBrowser(body: Cursor, reading: Reading): DialectReading {
  checkSoulBrowserPlan(body, reading);
  if (reading.problems.length > 0) return { plan: { steps: [] }, variant: null };
  const { pointer } = body;
  noteSources(
    reading,
    {
      '': '',
      '/id': 'task_id',
      '/rationale': 'meta/rationale',
      '/risks': 'meta/risk_assessment',
      '/metadata': 'meta/vendor_context',
    },
    '',
    pointer,
  );
  const meta = reading.member(body, 'meta');
  const plan: ActionPlan = present({
    id: filled(body, 'task_id', reading),
    title: reading.text(body, 'title'),
    description: filled(body, 'description', reading),
    created_at: readTime(body, reading),
    rationale: meta && unlessEmpty(reading.texts(meta, 'rationale')),
    risks: meta && unlessEmpty(reading.texts(meta, 'risk_assessment')),
    metadata: meta && withoutMembers(reading.object(meta, 'vendor_context')),
    steps: (reading.list(body, 'steps') ?? []).map((cursor, index) =>
      readStep(cursor, `/steps/${index}`, reading),
    ),
  });
  return { plan, variant: null };
}

function readStep(cursor: Cursor, model: JsonPointer, reading: Reading): ActionStep {
  noteSources(
    reading,
    { '': '', '/verifications': 'validations', '/wait': 'tool/wait', '/timeout_ms': 'tool/timeout_ms' },
    model,
    cursor.pointer,
  );
  const tool = reading.member(cursor, 'tool') ?? cursor;
  const validations = reading.list(cursor, 'validations') ?? [];
  return present({
    id: reading.requiredText(cursor, 'id'),
    ...readKind(tool, model, reading),
    title: reading.text(cursor, 'title'),
    detail: filled(cursor, 'detail', reading),
    timeout_ms: reading.count(tool, 'timeout_ms'),
    verifications: unlessEmpty(
      validations.map((one, index) => readValidation(one, `${model}/verifications/${index}`, reading)),
    ),
    requires_approval: reading.flag(cursor, 'requires_approval') === true ? true : undefined,
    wait: readWait(tool),
    metadata: withoutMembers(reading.object(cursor, 'metadata')),
  });
}

interface Tool {
  readonly tool: string;
  readonly args: JsonObject;
}

function readKind(tool: Cursor, model: JsonPointer, reading: Reading): Tool {
  const { tag, value, pointer } = readTagged(tool, 'kind');
  reading.sources.set(`${model}/tool`, pointer);
  reading.sources.set(`${model}/args`, pointer);
  const args = isJsonObject(value) ? value : {};
  const { name, payload = null } = args;
  if (tag !== 'Custom' || typeof name !== 'string' || !isOwnName(name, payload))
    return { tool: `soul:${tag}`, args };
  reading.sources.set(`${model}/tool`, pointerTo(pointer, 'name'));
  reading.sources.set(`${model}/args`, pointerTo(pointer, 'payload'));
  if (isJsonObject(payload)) return { tool: name, args: payload };
  reading.sources.set(`${model}/args/value`, pointerTo(pointer, 'payload'));
  // SoulBrowser gives a custom tool a payload that is no object under this name.
  return { tool: name, args: { value: payload } };
}

/** A custom tool that would be taken for one of the browser's own keeps that it is custom. */
function isOwnName(name: string, payload: JsonValue): boolean {
  return name !== '' && !(name.startsWith('soul:') && isSoulBrowserKind(name.slice('soul:'.length), payload));
}

function readValidation(cursor: Cursor, model: JsonPointer, reading: Reading): Check {
  const { tag, value, pointer } = readTagged(cursor, 'condition');
  reading.sources.set(model, cursor.pointer);
  reading.sources.set(`${model}/args/value`, pointer);
  return present({
    type: `soul:${tag}`,
    args: { value },
    description: filled(cursor, 'description', reading),
  });
}

/** `{"Tag": value}`, or `"Tag"` alone, whose value is null. What it is made of has been checked. */
function readTagged(
  owner: Cursor,
  key: string,
): { readonly tag: string; readonly value: JsonValue; readonly pointer: JsonPointer } {
  const node = memberOf(owner.node, key);
  const pointer = pointerTo(owner.pointer, key);
  if (node?.kind === 'string') return { tag: node.value, value: null, pointer };
  const [member] = node?.kind === 'object' ? node.members : [];
  if (member === undefined) return { tag: '', value: null, pointer };
  const at = pointerTo(pointer, member.key);
  return { tag: member.key, value: valueRead({ node: member.value, pointer: at }), pointer: at };
}

/** What is left out is DomReady, which SoulBrowser takes for its default. */
function readWait(tool: Cursor): ActionStep['wait'] {
  const { tag } = readTagged(tool, 'wait');
  const wait = tag === '' ? 'dom_ready' : WAITS.get(tag);
  return wait === 'none' ? undefined : wait;
}

function readTime(body: Cursor, reading: Reading): string | undefined {
  const time = reading.text(body, 'created_at');
  if (time === undefined || (isRfc3339Time(time) && hasSeconds(time))) return time;
  reading.deviation(pointerTo(body.pointer, 'created_at'), 'created_at must be a time as RFC 3339 has it');
  return undefined;
}

/** SoulBrowser writes what it has no text for as an empty one. */
function filled(cursor: Cursor, key: string, reading: Reading): string | undefined {
  const text = reading.text(cursor, key);
  return text === '' ? undefined : text;
}

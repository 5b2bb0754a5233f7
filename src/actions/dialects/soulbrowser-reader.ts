import type { ActionPlan, ActionStep, Check } from '../action-plan.js';
import type { DialectReading } from '../dialect.js';
import { pointerTo } from '../json-pointer.js';
import type { JsonPointer } from '../json-pointer.js';
import { isJsonObject, present, unlessEmpty, without } from '../json-value.js';
import type { JsonObject, JsonValue } from '../json-value.js';
import { noteSources, valueOf } from '../reading.js';
import type { Place, Reading } from '../reading.js';
import { isTime } from './times.js';

/** Both spellings of what is waited for: stored plans have the first of each, replies of models the second. */
const WAITS: ReadonlyMap<string, NonNullable<ActionStep['wait']>> = new Map([
  ['None', 'none'],
  ['none', 'none'],
  ['DomReady', 'dom_ready'],
  ['dom_ready', 'dom_ready'],
  ['Idle', 'idle'],
  ['idle', 'idle'],
] as const);

/** Reads a SoulBrowser plan; `meta` and what else is optional may miss parts. */
export function readSoulBrowser(body: Place, reading: Reading): DialectReading {
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
  const meta = reading.object(body, 'meta') === undefined ? undefined : reading.member(body, 'meta');
  const steps = reading.list(body, 'steps');
  if (steps === undefined) reading.problem(pointer, 'steps is missing');
  const plan: ActionPlan = present({
    id: filled(body, 'task_id', reading),
    title: reading.text(body, 'title'),
    description: filled(body, 'description', reading),
    created_at: readTime(body, reading),
    rationale: meta && unlessEmpty(reading.texts(meta, 'rationale')),
    risks: meta && unlessEmpty(reading.texts(meta, 'risk_assessment')),
    metadata: meta && without(reading.object(meta, 'vendor_context')),
    steps: (steps ?? []).map((place, index) => readStep(place, `/steps/${index}`, reading)),
  });
  return { plan, variant: null };
}

function readStep(place: Place, model: JsonPointer, reading: Reading): ActionStep {
  noteSources(
    reading,
    { '': '', '/verifications': 'validations', '/wait': 'tool/wait', '/timeout_ms': 'tool/timeout_ms' },
    model,
    place.pointer,
  );
  const tool = reading.object(place, 'tool') === undefined ? undefined : reading.member(place, 'tool');
  if (reading.member(place, 'tool') === undefined) reading.problem(place.pointer, 'tool is missing');
  const validations = reading.list(place, 'validations') ?? [];
  return present({
    id: reading.requiredText(place, 'id'),
    ...(tool === undefined ? { tool: '', args: {} } : readKind(tool, model, reading)),
    title: reading.text(place, 'title'),
    detail: filled(place, 'detail', reading),
    timeout_ms: tool && reading.count(tool, 'timeout_ms'),
    verifications: unlessEmpty(
      validations.map((one, index) => readValidation(one, `${model}/verifications/${index}`, reading)),
    ),
    requires_approval: reading.flag(place, 'requires_approval') === true ? true : undefined,
    wait: tool && readWait(tool, reading),
    metadata: without(reading.object(place, 'metadata')),
  });
}

interface Tool {
  readonly tool: string;
  readonly args: JsonObject;
}

function readKind(tool: Place, model: JsonPointer, reading: Reading): Tool {
  const tagged = readTagged(tool, 'kind', reading);
  if (tagged === null) return { tool: '', args: {} };
  const { tag, value, pointer } = tagged;
  reading.sources.set(`${model}/tool`, pointer);
  reading.sources.set(`${model}/args`, pointer);
  if (value !== null && !isJsonObject(value)) {
    reading.problem(pointer, `what ${tag} holds must be an object`);
    return { tool: '', args: {} };
  }
  const args = value ?? {};
  const { name, payload = {} } = args;
  if (tag !== 'Custom' || !isOwnName(name) || !(payload === null || isJsonObject(payload)))
    return { tool: `soul:${tag}`, args };
  reading.sources.set(`${model}/tool`, pointerTo(pointer, 'name'));
  reading.sources.set(`${model}/args`, pointerTo(pointer, 'payload'));
  return { tool: name, args: payload ?? {} };
}

/** A custom tool whose name could be taken for one of the browser's own keeps that it is custom. */
function isOwnName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && !name.startsWith('soul:');
}

function readValidation(place: Place, model: JsonPointer, reading: Reading): Check {
  const tagged = readTagged(place, 'condition', reading);
  reading.sources.set(model, place.pointer);
  if (tagged === null) return { type: 'soul:', args: {} };
  reading.sources.set(`${model}/args/value`, tagged.pointer);
  return present({
    type: `soul:${tagged.tag}`,
    args: tagged.value === null ? {} : { value: tagged.value },
    description: filled(place, 'description', reading),
  });
}

/** `{"Tag": value}`, or `"Tag"` alone, whose value is null. */
function readTagged(
  owner: Place,
  key: string,
  reading: Reading,
): { readonly tag: string; readonly value: JsonValue; readonly pointer: JsonPointer } | null {
  const place = reading.member(owner, key);
  if (place === undefined) {
    reading.problem(owner.pointer, `${key} is missing`);
    return null;
  }
  const { node, pointer } = place;
  if (node.kind === 'string' && node.value !== '') return { tag: node.value, value: null, pointer };
  const [member, ...more] = node.kind === 'object' ? node.members : [];
  if (member === undefined || more.length > 0 || member.key === '') {
    reading.problem(pointer, `${key} must be an object with one key that says which it is`);
    return null;
  }
  const at = pointerTo(pointer, member.key);
  return { tag: member.key, value: valueOf({ node: member.value, pointer: at }), pointer: at };
}

function readWait(tool: Place, reading: Reading): ActionStep['wait'] {
  const word = reading.text(tool, 'wait');
  const wait = word === undefined ? undefined : WAITS.get(word);
  if (word !== undefined && wait === undefined)
    reading.problem(pointerTo(tool.pointer, 'wait'), 'wait must be None, DomReady or Idle');
  return wait === 'none' ? undefined : wait;
}

function readTime(body: Place, reading: Reading): string | undefined {
  const time = reading.text(body, 'created_at');
  if (time === undefined || isTime(time)) return time;
  reading.deviation(pointerTo(body.pointer, 'created_at'), 'created_at must be a time as RFC 3339 has it');
  return undefined;
}

/** SoulBrowser writes what it has no text for as an empty one. */
function filled(place: Place, key: string, reading: Reading): string | undefined {
  const text = reading.text(place, key);
  return text === '' ? undefined : text;
}

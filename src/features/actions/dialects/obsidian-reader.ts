import type {
  ActionPlan,
  ActionStep,
  ContextRequest,
  Foreach,
  OnError,
  Retry,
  Risk,
} from '../model/action-plan.js';
import type { DialectReading } from '../model/dialect.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import { present, unlessEmpty } from '../../../kernel/json/json-value.js';
import { noteSources } from '../model/reading.js';
import type { Cursor, Reading } from '../model/reading.js';
import { OBSIDIAN_CONTEXT_KINDS, OBSIDIAN_OUTPUTS } from './obsidian-words.js';

/** Members that the schema knows, by what they are members of. */
const KEYS = {
  plan: 'version goal assumptions riskLevel contextRequests defaults steps outputs uiHints',
  step: 'id tool args preview dependsOn foreach captureAs onError retry timeoutMs tags',
  foreach: 'from itemName indexName concurrency',
  retry: 'maxAttempts backoffMs',
  defaults: 'onError retry',
  uiHints: 'title summary',
  outputs: OBSIDIAN_OUTPUTS.join(' '),
  contextRequest: 'kind options',
} as const;
const ID = /^[A-Za-z][\w-]*$/;
const ALIAS = /^[A-Za-z][\w.-]*$/;

/** Reads an Obsidian plan; what its schema refuses though it can be read (an unknown key, an id of another shape) is a deviation. */
export function readObsidian(body: Cursor, reading: Reading): DialectReading {
  reading.sources.set('', body.pointer);
  only(body, 'plan', reading);
  for (const key of ['version', 'goal', 'riskLevel'])
    if (reading.member(body, key) === undefined) reading.deviation(body.pointer, `${key} is missing`);
  const version = reading.text(body, 'version');
  if (version !== undefined && !/^\d+\.\d+(?:\.\d+)?$/.test(version))
    reading.deviation(pointerTo(body.pointer, 'version'), 'version must be as 1.0 or 1.0.0');
  const hints = inner(body, 'uiHints', reading);
  const steps = reading.list(body, 'steps');
  if (steps?.length === 0 || reading.member(body, 'steps') === undefined)
    reading.problem(pointerTo(body.pointer, 'steps'), 'steps must have at least one step');
  noteSources(
    reading,
    {
      '/risk': 'riskLevel',
      '/context_requests': 'contextRequests',
      '/title': 'uiHints/title',
      '/description': 'uiHints/summary',
    },
    '',
    body.pointer,
  );
  const plan: ActionPlan = present({
    goal: filled(body, 'goal', reading),
    title: hints && filled(hints, 'title', reading),
    description: hints && filled(hints, 'summary', reading),
    risk: readRisk(body, reading),
    assumptions: unlessEmpty(reading.texts(body, 'assumptions')),
    context_requests: unlessEmpty(
      reading.list(body, 'contextRequests')?.map((cursor) => readRequest(cursor, reading)),
    ),
    defaults: readDefaults(body, reading),
    outputs: readOutputs(body, reading),
    steps: (steps ?? []).map((cursor, index) => readStep(cursor, `/steps/${index}`, reading)),
  });
  return { plan, variant: null };
}

function readStep(cursor: Cursor, model: JsonPointer, reading: Reading): ActionStep {
  only(cursor, 'step', reading);
  const { pointer } = cursor;
  noteSources(
    reading,
    {
      '': '',
      '/title': 'preview',
      '/depends_on': 'dependsOn',
      '/capture_as': 'captureAs',
      '/on_error': 'onError',
      '/timeout_ms': 'timeoutMs',
      '/retry/max_attempts': 'retry/maxAttempts',
      '/retry/initial_delay_ms': 'retry/backoffMs',
      '/foreach/item_name': 'foreach/itemName',
      '/foreach/index_name': 'foreach/indexName',
    },
    model,
    pointer,
  );
  const id = reading.requiredText(cursor, 'id');
  if (!ID.test(id))
    reading.deviation(pointerTo(pointer, 'id'), 'id must be a letter, then letters, digits, _ or -');
  const dependsOn = reading.texts(cursor, 'dependsOn');
  if (new Set(dependsOn).size !== (dependsOn?.length ?? 0))
    reading.deviation(pointerTo(pointer, 'dependsOn'), 'dependsOn names a step twice');
  const captureAs = reading.text(cursor, 'captureAs');
  if (captureAs !== undefined && !ALIAS.test(captureAs))
    reading.deviation(
      pointerTo(pointer, 'captureAs'),
      'captureAs must be a letter, then letters, digits, _ - or .',
    );
  const args = reading.object(cursor, 'args');
  if (cursor.node.kind === 'object' && reading.member(cursor, 'args') === undefined)
    reading.problem(pointer, 'args is missing');
  return present({
    id,
    tool: reading.requiredText(cursor, 'tool'),
    args: args ?? {},
    title: filled(cursor, 'preview', reading),
    depends_on: unlessEmpty(dependsOn),
    foreach: readForeach(cursor, reading),
    capture_as: captureAs,
    on_error: readOnError(cursor, reading),
    retry: readRetry(cursor, reading),
    timeout_ms: atLeast(1, cursor, 'timeoutMs', reading),
    tags: unlessEmpty(reading.texts(cursor, 'tags')),
  });
}

function readForeach(step: Cursor, reading: Reading): Foreach | undefined {
  const cursor = inner(step, 'foreach', reading);
  if (cursor === undefined) return undefined;
  return present({
    from: reading.requiredText(cursor, 'from'),
    item_name: reading.requiredText(cursor, 'itemName'),
    index_name: reading.text(cursor, 'indexName'),
    concurrency: atLeast(1, cursor, 'concurrency', reading),
  });
}

function readRetry(owner: Cursor, reading: Reading): Retry | undefined {
  const cursor = inner(owner, 'retry', reading);
  if (cursor === undefined) return undefined;
  const attempts = atLeast(1, cursor, 'maxAttempts', reading);
  if (reading.member(cursor, 'maxAttempts') === undefined)
    reading.problem(cursor.pointer, 'maxAttempts is missing');
  if ((attempts ?? 1) > 10)
    reading.deviation(pointerTo(cursor.pointer, 'maxAttempts'), 'maxAttempts must be at most 10');
  const delay = reading.count(cursor, 'backoffMs');
  if ((delay ?? 0) > 600_000)
    reading.deviation(pointerTo(cursor.pointer, 'backoffMs'), 'backoffMs must be at most 600000');
  return present({ max_attempts: attempts ?? 1, initial_delay_ms: delay });
}

function readOnError(owner: Cursor, reading: Reading): OnError | undefined {
  const strategy = reading.text(owner, 'onError');
  if (strategy === undefined) return undefined;
  if (strategy === 'stop' || strategy === 'skip' || strategy === 'retry') return { strategy };
  reading.problem(pointerTo(owner.pointer, 'onError'), 'onError must be stop, skip or retry');
  return undefined;
}

function readDefaults(body: Cursor, reading: Reading): ActionPlan['defaults'] | undefined {
  const cursor = inner(body, 'defaults', reading);
  if (cursor === undefined) return undefined;
  noteSources(reading, { '/on_error': 'onError' }, '/defaults', cursor.pointer);
  const defaults = present({ on_error: readOnError(cursor, reading), retry: readRetry(cursor, reading) });
  return Object.keys(defaults).length === 0 ? undefined : defaults;
}

function readRequest(cursor: Cursor, reading: Reading): ContextRequest {
  only(cursor, 'contextRequest', reading);
  const kind = reading.requiredText(cursor, 'kind');
  if (!OBSIDIAN_CONTEXT_KINDS.has(kind))
    reading.deviation(
      pointerTo(cursor.pointer, 'kind'),
      'this is not a kind of context that the schema knows',
    );
  return present({ kind, options: reading.object(cursor, 'options') });
}

function readRisk(body: Cursor, reading: Reading): Risk | undefined {
  const risk = reading.text(body, 'riskLevel');
  if (risk === undefined || risk === 'read-only' || risk === 'writes' || risk === 'commands') return risk;
  reading.problem(pointerTo(body.pointer, 'riskLevel'), 'riskLevel must be read-only, writes or commands');
  return undefined;
}

function readOutputs(body: Cursor, reading: Reading): ActionPlan['outputs'] | undefined {
  const cursor = inner(body, 'outputs', reading);
  if (cursor === undefined) return undefined;
  for (const key of OBSIDIAN_OUTPUTS) reading.flag(cursor, key);
  const outputs = reading.object(body, 'outputs') ?? {};
  const known = Object.entries(outputs).filter(([, value]) => typeof value === 'boolean');
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** An object within another, its keys checked. */
function inner(
  owner: Cursor,
  key: 'uiHints' | 'foreach' | 'retry' | 'defaults' | 'outputs',
  reading: Reading,
) {
  if (reading.object(owner, key) === undefined) return undefined;
  const cursor = reading.member(owner, key);
  if (cursor !== undefined) only(cursor, key, reading);
  return cursor;
}

/** Notes the keys that the strict schema does not know, and those that are null. */
function only({ node, pointer }: Cursor, kind: keyof typeof KEYS, reading: Reading): void {
  if (node.kind !== 'object') {
    reading.problem(pointer, 'this must be an object');
    return;
  }
  const known = KEYS[kind].split(' ');
  for (const { key, value } of node.members) {
    if (!known.includes(key))
      reading.deviation(pointerTo(pointer, key), `${JSON.stringify(key)} is not a known key`);
    else if (value.kind === 'literal' && value.value === null)
      reading.deviation(pointerTo(pointer, key), `${key} must not be null`);
  }
}

/** A text; an empty one is a deviation, and counts as left out. */
function filled(cursor: Cursor, key: string, reading: Reading): string | undefined {
  const text = reading.text(cursor, key);
  if (text !== '') return text;
  reading.deviation(pointerTo(cursor.pointer, key), `${key} must not be empty`);
  return undefined;
}

function atLeast(least: number, cursor: Cursor, key: string, reading: Reading): number | undefined {
  const value = reading.count(cursor, key);
  if (value === undefined || value >= least) return value;
  reading.problem(pointerTo(cursor.pointer, key), `${key} must be at least ${least}`);
  return undefined;
}

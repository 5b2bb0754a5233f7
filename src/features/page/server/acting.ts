import type { IncomingMessage } from 'node:http';

import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { Operation } from '../../../operations/operation.js';
import { parseInput } from '../../../operations/parse-input.js';
import type { OperationTable } from '../../../operations/registered-operation.js';
import type { Context } from '../../../operations/shared/context.js';

/**
 * What can be done on the page, and what of each input is taken from there. What names files, keys or servers of this
 * machine is nobody’s affair who only has a page; so a member that is new is not taken before it stands here.
 */
const ACTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['claim', ['goal', 'others', 'by', 'for', 'plan']],
  ['renew', ['goal', 'token', 'for', 'plan']],
  ['release', ['goal', 'token', 'force', 'by', 'plan']],
  [
    'complete',
    ['goal', 'others', 'summary', 'decisions', 'artifacts', 'text', 'token', 'by', 'force', 'plan'],
  ],
  [
    'edit',
    ['goal', 'description', 'detail', 'acceptance', 'tags', 'priority', 'clear', 'because', 'by', 'plan'],
  ],
  ['fail', ['goal', 'reason', 'token', 'by', 'plan']],
  ['reopen', ['goal', 'reason', 'by', 'plan']],
  [
    'add',
    [
      'description',
      'under',
      'before',
      'after',
      'detail',
      'acceptance',
      'tags',
      'priority',
      'because',
      'by',
      'plan',
    ],
  ],
  ['decide', ['goal', 'what', 'choice', 'open', 'decidedBy', 'because', 'by', 'plan']],
  ['undo', ['plan', 'by']],
  ['redo', ['plan', 'by']],
  ['hold', ['goal', 'reason', 'until', 'by', 'plan']],
  ['unhold', ['goal', 'because', 'by', 'plan']],
  ['approve', ['code', 'step', 'dryRun', 'agreed']],
]);

/** The most bytes of an input. */
const MOST_BYTES = 1024 * 1024;

/** What a person reads before he agrees to a run. */
const forPeopleSchema = z.object({ text: z.string(), parts: z.array(z.unknown()).optional() });

const inputSchema = z.record(z.string(), z.unknown());

/**
 * Runs an operation as its command does, with the same checks, and gives the document that `--json` prints; of an action
 * plan also what a person reads before he agrees to it.
 * @throws PlanError INVALID_INPUT, USAGE, and what the operation throws; null where there is no such action
 */
export async function act(
  operations: OperationTable,
  name: string,
  body: unknown,
  context: Context,
): Promise<unknown> {
  const taken = ACTIONS.get(name);
  const operation = taken === undefined ? undefined : await operations[name]?.load();
  if (taken === undefined || operation === undefined) return null;
  const given = inputSchema.safeParse(body);
  if (!given.success) throw new PlanError('INVALID_INPUT', 'the input must be an object');
  for (const [member, value] of Object.entries(given.data))
    if (value !== undefined && !taken.includes(member))
      throw new PlanError('INVALID_INPUT', `${truncate(oneLine(member), 100)} cannot be set from the page`, {
        hint: { commandLine: `\`plan ${name}\` on the command line takes its options.` },
      });
  const input = parseInput(operation.input, onPage(name, given.data));
  const result: unknown = await operation.run({ ...context.newChange(), emit: () => undefined }, input);
  return documentOf(operation, result);
}

/** Whoever agrees here has agreed on the page, whatever the request says. */
function onPage(name: string, input: z.output<typeof inputSchema>): z.output<typeof inputSchema> {
  const agreed = inputSchema.safeParse(input.agreed);
  return name === 'approve' && agreed.success ? { ...input, agreed: { ...agreed.data, via: 'page' } } : input;
}

function documentOf(operation: Operation, result: unknown): unknown {
  const document = operation.document?.(result) ?? result;
  const forPeople = forPeopleSchema.safeParse(result);
  return forPeople.success ? { ...inputSchema.parse(document), ...forPeople.data } : document;
}

/**
 * The body of a request to act.
 * @throws PlanError INVALID_INPUT where it is no JSON, says that it is something else, or is too long
 */
export async function readActionBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/.test(request.headers['content-type'] ?? ''))
    throw new PlanError('INVALID_INPUT', 'the input must be sent as application/json');
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLong(request);
  const chunks: Buffer[] = [];
  let length = 0;
  // The iterator would close the connection where it is left, and with it the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = z.instanceof(Buffer).parse(chunk);
    length += bytes.length;
    if (length > MOST_BYTES) throw tooLong(request);
    chunks.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new PlanError('INVALID_INPUT', 'the input is not JSON');
  }
}

/** The refusal of a body; what else of it comes is read and dropped, so that the answer reaches who still sends. */
function tooLong(request: IncomingMessage): PlanError {
  request.resume();
  return new PlanError('INVALID_INPUT', 'the input is longer than 1 MB');
}

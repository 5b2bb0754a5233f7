import type { IncomingMessage, ServerResponse } from 'node:http';

import { PlanError } from '../../../kernel/errors.js';
import { VERSION } from '../../../kernel/version.js';
import { libraryOf } from '../../../operations/library.js';
import type { OperationTable } from '../../../operations/registered-operation.js';
import { decisionsOfPlan } from '../../../operations/reading/report-decisions.js';
import { findingsOfPlan } from '../../../operations/reading/plan-findings.js';
import { OPERATIONS } from '../../../operations/registry.js';
import type { Context } from '../../../operations/shared/context.js';
import { findGoalInPlan, findPlan } from '../../../operations/shared/find-plan.js';
import { pageOfLog } from '../watching/page-log.js';
import { planDelta } from '../watching/plan-delta.js';
import type { StoreWatch } from '../watching/plan-watch.js';
import { act, readActionBody } from './acting.js';
import { guardedToken } from './guard.js';
import type { Target } from './guard.js';
import type { Limits } from './limits.js';
import { joined, sliced } from './pieces.js';
import { streamLineWithGoals } from './plan-stream.js';
import { RUN_ROUTES } from '../runs/runs-in-words.js';
import { sendError, sendRefused, sendText } from './send.js';
import type { BrowserSession } from './session.js';
import { readSourceLines } from './source-lines.js';
import { streamPlan, streamStore } from './store-stream.js';

/** A file of the page, as it is sent. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** What requests are answered with. */
export interface PageContext {
  readonly operations: OperationTable;
  /** A context for each request, so that nothing is kept between two. */
  readonly newContext: () => Context;
  readonly watch: StoreWatch;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly session: BrowserSession;
  readonly write: boolean;
  readonly limits: Limits;
}

interface Call {
  readonly world: PageContext;
  readonly context: Context;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What stands in place of each `*`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** Gives the document to answer with, or nothing where it has answered itself. */
type Route = (call: Call) => unknown;

const ROUTES: Readonly<Record<string, Route>> = {
  '/api/session': openSession,
  '/api/server': ({ world, context }) => ({
    write: world.write,
    version: VERSION,
    store: context.projectFolder() ?? '',
    channel: world.session.channel,
  }),
  '/api/plans': async ({ context, query }) => plansOf(context, query.has('archived')),
  '/api/stream': ({ world, response, query }) => streamStore(world, query.getAll('plan'), response),
  '/api/plans/*': async ({ world, response, parts: [plan = ''] }) => {
    // However many ask for it, it is there once.
    const watched = await world.watch.plan(plan, () => undefined);
    // The reader may have gone while the plan was opened.
    if (response.destroyed) {
      watched.stop();
      return;
    }
    response.once('close', () => watched.stop());
    const { goals, header } = planDelta(null, watched.state.plan);
    await sendText(response, joined(streamLineWithGoals({ plan: header }, goals)), world.limits.pieceMs);
  },
  '/api/plans/*/stream': ({ world, response, parts: [plan = ''] }) => streamPlan(world, plan, response),
  '/api/plans/*/log': async ({ context, parts: [plan = ''], query }) =>
    pageOfLog(context, plan, placeOf(query.get('before'))),
  '/api/plans/*/decisions': async ({ context, parts: [plan = ''] }) => ({
    decisions: decisionsOfPlan((await findPlan(context, plan)).plan),
  }),
  '/api/plans/*/findings': async ({ context, parts: [plan = ''] }) => {
    const log = await findPlan(context, plan);
    return { findings: findingsOfPlan(log.plan, await log.events()) };
  },
  '/api/plans/*/goals/*/source': async ({ context, parts: [plan = '', goal = ''] }) => {
    const { source, description } = findGoalInPlan((await findPlan(context, plan)).plan, goal);
    const folder = context.projectFolder();
    if (source === undefined || folder === null) throw nothingHere();
    return readSourceLines(source, description, folder);
  },
  '/api/plans/*/goals/*': async ({ context, parts: [plan = '', goal = ''] }) => goalOf(context, plan, goal),
  ...RUN_ROUTES,
  '/api/operations/*': async ({ world, context, request, parts: [name = ''] }) => {
    // The guard has seen to it already; nothing but this changes a plan from here.
    if (!world.write || request.method !== 'POST') throw nothingHere();
    const document = await act(world.operations, name, await readActionBody(request), context);
    if (document === null) throw nothingHere();
    return document;
  },
};

/** Answers a request that the guard has let through. Never throws. */
export async function answerRoute(
  world: PageContext,
  { path, query }: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { files, newContext, limits } = world;
  try {
    const file = files.get(path);
    if (file !== undefined) {
      await sendText(response, sliced(file.bytes), limits.pieceMs, file.type);
      return;
    }
    const { route, parts } = routeOf(path);
    const document = await route({ world, context: newContext(), request, response, parts, query });
    if (document !== undefined)
      await sendText(response, sliced(Buffer.from(`${JSON.stringify(document)}\n`)), limits.pieceMs);
  } catch (thrown) {
    sendError(response, thrown);
  }
}

/** @throws PlanError FILE_NOT_FOUND */
function routeOf(path: string): { readonly route: Route; readonly parts: readonly string[] } {
  const words = path.split('/');
  for (const [pattern, route] of Object.entries(ROUTES)) {
    const wanted = pattern.split('/');
    if (wanted.length !== words.length) continue;
    if (wanted.every((word, index) => word === '*' || word === words[index]))
      return {
        route,
        parts: words.filter((_word, index) => wanted[index] === '*').map((word) => decoded(word)),
      };
  }
  throw nothingHere();
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    throw nothingHere();
  }
}

function nothingHere(): PlanError {
  return new PlanError('FILE_NOT_FOUND', 'there is nothing at this address');
}

/** The token for the code of `--open`, once. */
function openSession({ world, request, response }: Call): unknown {
  const token = world.session.redeem(guardedToken(request.headers) ?? '');
  if (token !== null) return { token };
  sendRefused(response, 401, {
    message: 'the code is wrong, was used before, or is older than a minute',
    hint: 'Open the address that `plan serve` printed.',
  });
  return undefined;
}

async function plansOf(context: Context, archived: boolean): Promise<unknown> {
  const { plans, problems } = await libraryOf(context, OPERATIONS).list({ archived });
  return { plans, problems };
}

/** What `plan show` says of a goal, without the tokens of claims. */
async function goalOf(context: Context, plan: string, goal: string): Promise<unknown> {
  const { plan: _summary, ...report } = await libraryOf(context, OPERATIONS).show({ goal, plan });
  const document: unknown = JSON.parse(
    JSON.stringify(report, (key, value: unknown) => (key === 'claim' ? withoutToken(value) : value)),
  );
  return document;
}

function withoutToken(claim: unknown): unknown {
  if (typeof claim !== 'object' || claim === null) return claim;
  return Object.fromEntries(Object.entries(claim).filter(([name]) => name !== 'token'));
}

/** The place of a log that is asked for. @throws PlanError INVALID_INPUT */
function placeOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new PlanError('INVALID_INPUT', 'before must be a whole number of at most 15 digits');
}

import type { IncomingMessage, ServerResponse } from 'node:http';

import { PlanError } from '../../kernel/errors.js';
import { VERSION } from '../../kernel/version.js';
import { libraryOf } from '../../operations/library.js';
import type { PageAsset } from '../../operations/watching/page-assets.js';
import type { Context } from '../../operations/shared/context.js';
import { pageOfLog } from '../../operations/watching/page-log.js';
import { planDelta } from '../../operations/watching/plan-delta.js';
import type { StoreWatch } from '../../operations/watching/plan-watch.js';
import { readPlan } from '../../operations/shared/find-plan.js';
import { attemptsOf } from '../../operations/watching/run-attempts.js';
import { act, readBody } from './acting.js';
import { bearer } from './guard.js';
import type { Target } from './guard.js';
import { SAFE_HEADERS } from './headers.js';
import { streamPlan } from './plan-stream.js';
import { sendError, sendJson, sendRefused } from './send.js';
import type { Session } from './session.js';
import { streamStore } from './store-stream.js';

/** What requests are answered with. */
export interface PageWorld {
  /** A context for each request, so that nothing is kept between two. */
  readonly newContext: () => Context;
  readonly watch: StoreWatch;
  readonly assets: ReadonlyMap<string, PageAsset>;
  readonly session: Session;
  readonly write: boolean;
}

interface Call {
  readonly world: PageWorld;
  readonly context: Context;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What stands in the place of each `*`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

type Route = (call: Call) => Promise<void> | void;

const ROUTES: Readonly<Record<string, Route>> = {
  '/api/session': openSession,
  '/api/server': ({ world, context, response }) =>
    sendJson(response, { write: world.write, version: VERSION, store: context.projectFolder() ?? '' }),
  '/api/plans': async ({ context, response, query }) =>
    sendJson(response, await plansOf(context, query.has('archived'))),
  '/api/stream': ({ world, response }) => streamStore(world.watch, response),
  '/api/plans/*': async ({ context, response, parts: [plan = ''] }) => {
    const { goals, header } = planDelta(null, await readPlan(context, plan));
    sendJson(response, { plan: header, goals });
  },
  '/api/plans/*/stream': ({ world, response, parts: [plan = ''] }) => streamPlan(world.watch, plan, response),
  '/api/plans/*/log': async ({ context, response, parts: [plan = ''], query }) =>
    sendJson(response, await pageOfLog(context, plan, placeOf(query.get('before')))),
  '/api/plans/*/goals/*': async ({ context, response, parts: [plan = '', goal = ''] }) =>
    sendJson(response, await goalOf(context, plan, goal)),
  '/api/runs': async ({ context, response }) => sendJson(response, await libraryOf(context).runs.list()),
  '/api/runs/*': async ({ context, response, parts: [run = ''] }) =>
    sendJson(response, {
      run: await libraryOf(context).runs.show({ run }),
      attempts: await attemptsOf(context, run),
    }),
  '/api/operations/*': async ({ world, context, request, response, parts: [name = ''] }) => {
    // The guard has seen to it already; nothing but this changes a plan from here.
    if (!world.write || request.method !== 'POST') throw nothingHere();
    const document = await act(name, await readBody(request), context);
    if (document === null) throw nothingHere();
    sendJson(response, document);
  },
};

/** Answers a request that the guard has let through. Never throws. */
export async function answer(
  world: PageWorld,
  { path, query }: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const asset = world.assets.get(path);
    if (asset !== undefined) {
      response.writeHead(200, { ...SAFE_HEADERS, 'content-type': asset.type }).end(asset.text);
      return;
    }
    const { route, parts } = routeOf(path);
    await route({ world, context: world.newContext(), request, response, parts, query });
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
function openSession({ world, request, response }: Call): void {
  const token = world.session.redeem(bearer(request.headers) ?? '');
  if (token === null)
    sendRefused(response, 401, {
      message: 'the code is wrong, was used before, or is older than a minute',
      hint: 'Open the address that `plan serve` printed.',
    });
  else sendJson(response, { token });
}

async function plansOf(context: Context, archived: boolean): Promise<unknown> {
  const { plans, problems } = await libraryOf(context).list({ archived });
  return { plans, problems };
}

/** What `plan show` says of a goal, without the tokens of claims. */
async function goalOf(context: Context, plan: string, goal: string): Promise<unknown> {
  const { states, plan: _summary, ...report } = await libraryOf(context).show({ goal, plan });
  const document: unknown = JSON.parse(
    JSON.stringify({ ...report, states: Object.fromEntries(states) }, (key, value: unknown) =>
      key === 'claim' ? withoutToken(value) : value,
    ),
  );
  return document;
}

function withoutToken(claim: unknown): unknown {
  if (typeof claim !== 'object' || claim === null) return claim;
  return Object.fromEntries(Object.entries(claim).filter(([name]) => name !== 'token'));
}

function placeOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

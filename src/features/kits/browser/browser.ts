import type { Page } from 'playwright-core';
import * as z from 'zod';

import { isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { messageOf } from '../../../kernel/errors.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { concluded, RefusedCall } from '../../runs/runners/outcomes.js';
import { createSecrets } from '../../runs/runners/secrets.js';
import type { Secrets } from '../../runs/runners/secrets.js';
import { origin } from '../http/http.js';
import { problemBy, readArgs } from '../kit.js';
import type { CarriedTool, Kit } from '../kit.js';
import { carriedOut, PAGE_ACTIONS } from './actions.js';
import type { PageAction } from './actions.js';
import { CONDITION_NAMES, conditionSchema, lookUntil } from './conditions.js';
import { deliver, screenshotOf } from './files.js';
import { createSession } from './session.js';
import type { BrowserSession } from './session.js';

const secretSchema = z.strictObject({
  env: z.string().regex(/^\w+$/).describe('The variable that has its value.'),
  origins: z.array(origin).min(1).describe('Where it may be filled in.'),
});

const optionsSchema = z.strictObject({
  origins: z.array(origin).min(1).max(100).describe('Where its pages may come from.'),
  chromium: z.string().startsWith('/', 'not an absolute path').default('/usr/bin/chromium'),
  secrets: z.record(z.string().regex(/^[\w-]+$/), secretSchema).optional(),
});

interface OfRun {
  readonly session: BrowserSession;
  readonly secrets: Secrets;
  readonly origins: ReadonlySet<string>;
}

const runs = new WeakMap<KitCall, OfRun>();

/** The browser of a run, which all of its tools share. */
function ofRun(options: JsonObject, call: KitCall): OfRun {
  const known = runs.get(call);
  if (known !== undefined) return known;
  const { variables, root: folder } = call.environment;
  const chromium = typeof options.chromium === 'string' ? options.chromium : '';
  const origins = originsIn(options.origins);
  const made = {
    session: createSession({ origins, chromium, variables, folder }),
    secrets: createSecrets(variables),
    origins,
  };
  runs.set(call, made);
  return made;
}

function originsIn(list: unknown): ReadonlySet<string> {
  const texts = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  return new Set(texts.map((text) => new URL(text).origin));
}

/** Pages of the web, in Chromium. */
export const browser: Kit = {
  name: 'browser',
  options: optionsSchema,
  programs: [],
  tools: [
    ...PAGE_ACTIONS.map((action) => ({
      ...action,
      rev: 1,
      carry: (options: JsonObject, call: KitCall) => carried(action, options, call),
    })),
    screenshotOf((call) => ofRun({}, call).session),
    deliver,
  ],
  conditions: CONDITION_NAMES.map((name) => ({
    type: `soul:${name}`,
    rev: 1,
    carry: (options, call) => ({
      problem: ({ value }) => {
        const read = conditionSchema.safeParse({ [name]: value });
        return read.success ? null : `${name} cannot be looked at so: ${read.error.issues[0]?.message ?? ''}`;
      },
      async look({ args, timeoutMs, signal }) {
        try {
          const condition = readArgs(conditionSchema, { [name]: args.value ?? null });
          const isWaited = name === 'NetworkIdle' || name === 'Duration';
          const { session } = ofRun(options, call);
          return await lookUntil(condition, session, { untilMs: isWaited ? timeoutMs - 100 : 0, signal });
        } catch (thrown) {
          return { ok: false, detail: messageOf(thrown) };
        }
      },
    }),
  })),
  close: async (call) => runs.get(call)?.session.close(),
};

function carried(action: PageAction, options: JsonObject, call: KitCall): CarriedTool {
  const { session, secrets, origins } = ofRun(options, call);
  const { effectsOf, input } = action;
  return {
    keeps: 'browser',
    problem: problemBy(({ url }) => {
      if (action.name === 'soul:Navigate' && typeof url === 'string') refuseOrigin(url, origins);
    }),
    ...(effectsOf === undefined ? {} : { effectsOf: (args: JsonObject) => effectsOf(readArgs(input, args)) }),
    call: (made) =>
      concluded(secrets, async () => {
        const args = readArgs(input, made.args);
        if (action.name === 'soul:Navigate' && typeof args.url === 'string') refuseOrigin(args.url, origins);
        const secret = (name: string, page: Page) => secretFor(name, page, options, secrets);
        return carriedOut(action, args, { session, secrets, secret, call: made });
      }),
  };
}

/** @throws RefusedCall ORIGIN_REFUSED */
function refuseOrigin(url: string, origins: ReadonlySet<string>): void {
  const wanted = URL.parse(url)?.origin;
  if (wanted !== undefined && origins.has(wanted)) return;
  throw new RefusedCall(
    'ORIGIN_REFUSED',
    `${wanted ?? 'what is no address'} is none of the origins of the kit browser`,
  );
}

/** @throws RefusedCall POLICY_DENIED, VALIDATION_ERROR */
function secretFor(name: string, page: Page, { secrets: known }: JsonObject, secrets: Secrets): string {
  const secret = isJsonObject(known) && Object.hasOwn(known, name) ? known[name] : undefined;
  if (secret === undefined || !isJsonObject(secret) || typeof secret.env !== 'string')
    throw new RefusedCall('VALIDATION_ERROR', `the kit browser has no secret ${name}`);
  const at = URL.parse(page.url())?.origin ?? '';
  if (secret.origins === undefined || !isJsonList(secret.origins) || !originsIn(secret.origins).has(at))
    throw new RefusedCall('POLICY_DENIED', `the secret ${name} is not for ${at}`);
  const value = secrets.read(secret.env);
  if (value === undefined) throw new RefusedCall('VALIDATION_ERROR', `${secret.env} is not set`);
  return value;
}

import { resolve } from 'node:path';

import { PlanError } from '../errors.js';
import type { Plan } from '../plan/plan.js';
import type { Settings, Usage } from '../plan/schema.js';
import type { Expander } from '../planner/expander.js';
import type { Method } from '../rules/methods.js';
import { readStoredFolder, readTextFile } from '../store/text-files.js';
import { noteOwnBaseUrl, parseSettings, readOwnBaseUrl } from './config.js';
import type { ProjectConfig } from './config.js';
import { storePath } from './context.js';
import type { Context } from './context.js';
import { openConnection } from './model-connection.js';
import type { Connection, ModelWiring } from './model-connection.js';
import type { Emit } from './planning-run.js';
import { apiKeyOf, hasModel, planSettings, resolveSettings } from './settings.js';
import type { ResolvedSettings } from './settings.js';
import { endpointOf } from './trust.js';

/** More than a method file may have in characters. */
const MOST_METHOD_BYTES = 256 * 1024;

/** What a caller may say about how to plan; all of it optional. */
export interface PlanningFlags {
  readonly settings?: ProjectConfig | undefined;
  /** Writes every question and answer to this file. */
  readonly record?: string | undefined;
  /** Answers from this file, with no network. */
  readonly replay?: string | undefined;
}

/** How a plan will be planned. */
export interface PlanningChoice {
  readonly settings: Settings;
  readonly resolved: ResolvedSettings;
  /** A server that the user himself named just now, by flag or environment. */
  readonly ownBaseUrl: string | null;
  /** @param spent what the plan has used so far, which its budget counts */
  readonly makeExpander: (spent: Usage | undefined, emit: Emit) => Promise<Expander>;
  /** Connects to the model, for other questions than expansions; null when none takes part. */
  readonly connect: ((spent: Usage | undefined, emit: Emit) => Promise<Connection>) | null;
  /** What the user should know about the choice. */
  readonly notice: string | null;
}

/**
 * Settles who expands the goals and with which settings. Without a model the built-in rules plan, and say
 * so; nothing fails for the lack of a key unless a model was asked for.
 * @throws PlanError UNTRUSTED_BASE_URL, INVALID_CONFIG, INVALID_INPUT, FILE_NOT_FOUND
 */
export async function choosePlanning(
  context: Context,
  flags: PlanningFlags,
  made: { readonly plan?: Plan; readonly contextTexts?: Settings['context'] } = {},
): Promise<PlanningChoice> {
  const before = made.plan?.header.settings;
  const resolved = resolveSettings({
    flags: parseSettings(flags.settings ?? {}),
    plan: before,
    environment: context.environment.variables,
    project: await context.projectConfig(),
    user: await context.userConfig(),
  });
  const apiKey = apiKeyOf(context.environment.variables);
  const kind = chooseKind(flags, before, resolved, apiKey);
  const given = [...new Set([...(before?.given ?? []), ...Object.keys(flags.settings ?? {})])];
  const settings = planSettings(resolved, kind, given, made.contextTexts ?? before?.context);
  const shared = { settings, resolved, ownBaseUrl: null, notice: null };
  if (kind === 'rules') {
    const chosen = resolved.values.expander === 'rules' || before !== undefined;
    const makeExpander = () => makeRulesExpander(context);
    return { ...shared, notice: chosen ? null : NO_MODEL, makeExpander, connect: null };
  }
  if (kind === 'replay') {
    const file = flags.replay ?? stringOf(before?.replay);
    if (file === null)
      throw new PlanError('INVALID_INPUT', 'this plan was replayed; --replay FILE names the recording');
    const text = await readTextFile(resolve(context.environment.workingFolder, file));
    return {
      ...shared,
      settings: { ...settings, replay: file },
      ...asking(context, { settings, resolved, replay: { file, text } }),
    };
  }
  const own = made.plan === undefined ? null : await readOwnBaseUrl(context.environment, made.plan.header.id);
  const endpoint = endpointOf(resolved, apiKey, await context.userConfig(), own);
  const source = resolved.sources.base_url;
  return {
    ...shared,
    settings: resolved.values.base_url === undefined ? settings : { ...settings, base_url: endpoint.baseUrl },
    ownBaseUrl: source === 'flag' || source === 'environment' ? endpoint.baseUrl : null,
    ...asking(context, { settings, resolved, endpoint, record: flags.record }),
  };
}

/** The same model for expansions and for other questions. */
function asking(
  context: Context,
  wiring: Omit<ModelWiring, 'spent' | 'emit'>,
): Pick<PlanningChoice, 'makeExpander'> & { readonly connect: NonNullable<PlanningChoice['connect']> } {
  const connect: NonNullable<PlanningChoice['connect']> = (spent, emit) =>
    openConnection(context, { ...wiring, spent, emit });
  return {
    connect,
    makeExpander: async (spent, emit) => {
      const { createModelExpander } = await import('../planner/model-expander.js');
      return createModelExpander({ ...(await connect(spent, emit)), settings: wiring.settings });
    },
  };
}

/**
 * Remembers for a plan that the user himself chose its server, so that resuming it needs no flag. A file that
 * cannot be written costs only that convenience.
 */
export async function rememberOwnBaseUrl(
  { environment }: Context,
  planId: string,
  { ownBaseUrl }: PlanningChoice,
): Promise<void> {
  if (ownBaseUrl === null) return;
  if ((await readOwnBaseUrl(environment, planId)) === ownBaseUrl) return;
  await noteOwnBaseUrl(environment, planId, ownBaseUrl).catch(() => undefined);
}

const NO_MODEL =
  'Planned by the built-in rules, because no model is configured. ' +
  'Set OPENAI_API_KEY, or OPENAI_BASE_URL for any OpenAI-compatible server, to plan with a model.';

function chooseKind(
  flags: PlanningFlags,
  before: Settings | undefined,
  resolved: ResolvedSettings,
  apiKey: string | null,
): Settings['expander'] {
  if (flags.replay !== undefined) return 'replay';
  const asked = flags.settings?.expander ?? before?.expander ?? resolved.values.expander;
  if (asked === undefined) return hasModel(resolved, apiKey) ? 'model' : 'rules';
  if (asked === 'model' && !hasModel(resolved, apiKey)) {
    throw new PlanError('INVALID_CONFIG', 'a model is asked for, but none is configured', {
      hint: 'Set OPENAI_API_KEY, or give --base-url (OPENAI_BASE_URL); or plan with --expander rules.',
    });
  }
  return asked;
}

async function makeRulesExpander(context: Context): Promise<Expander> {
  const { createRulesExpander } = await import('../planner/rules-expander.js');
  return createRulesExpander(await readMethods(context));
}

/** Every method there is, those of the project first. @throws PlanError INVALID_METHOD */
export async function readMethods(context: Context): Promise<readonly Method[]> {
  const { browserMethods, builtInMethods, parseMethod } = await import('../rules/methods.js');
  const folder = storePath(context, 'methods');
  const files = folder === null ? [] : await readStoredFolder(folder, '.yaml', MOST_METHOD_BYTES);
  return [
    ...files.map(({ path, text }) => parseMethod(text, path)),
    ...builtInMethods(),
    ...browserMethods(),
  ];
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

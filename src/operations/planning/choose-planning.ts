import { findHelper } from '../../host/processes/find-helper.js';
import { AGENT_NAMES, isCommandModel } from '../../llm/command/presets.js';
import { PlanError } from '../../kernel/errors.js';
import type { Plan } from '../../plan/plan.js';
import type { Settings, Usage } from '../../plan/schema.js';
import type { Expander } from '../../planning/expander.js';
import type { ProjectConfig } from '../settings/config.js';
import type { Context } from '../shared/context.js';
import { connectPlanner } from './model-connection.js';
import type { ModelWiring } from './model-connection.js';
import type { Connect, Spending } from './connection.js';
import { GUARDED_SETTINGS, noteOwnSettings, readOwnSettings } from '../settings/own-settings.js';
import type { OwnSettings } from '../settings/own-settings.js';
import type { Emit } from './planning-progress.js';
import { readRecording } from './read-recording.js';
import { asksForModel, namesPlanner } from './named-model.js';
import { apiKeyOf, hasModel, isGivenByUser, planSettings, resolveSettings } from '../settings/settings.js';
import type { ResolvedSettings } from '../settings/settings.js';
import { endpointOf } from '../settings/trust.js';
import { trustedCommand } from '../settings/trust-command.js';

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
  /** What the user himself has given of the settings, now or before. */
  readonly own: OwnSettings;
  /**
   * @param spent what the plan has used so far, which its budget counts
   * @param spending the budget and the limits of all workers, or where this process enters its calls
   */
  readonly makeExpander: (spent: Usage | undefined, emit: Emit, spending?: Spending) => Promise<Expander>;
  /** Connects to the model, for other questions than expansions; null when none takes part. */
  readonly connect: Connect | null;
  /** What the user should know about the choice. */
  readonly notice: string | null;
  /** Whether a plan is planned by another from here on, because that was asked for. */
  readonly switched: boolean;
}

/**
 * Decides who expands the goals and with which settings. Where nothing is asked for and no model is configured the
 * built-in rules plan, and say so; whoever names a model or a server gets a model or is refused.
 * @throws PlanError UNTRUSTED_BASE_URL, INVALID_CONFIG, INVALID_INPUT, FILE_NOT_FOUND
 */
export async function choosePlanning(
  context: Context,
  flags: PlanningFlags,
  made: { readonly plan?: Plan; readonly contextTexts?: Settings['context'] } = {},
): Promise<PlanningChoice> {
  const choice = await chosenPlanning(context, flags, made);
  const before = made.plan?.header.settings;
  const switched = before !== undefined && isOther(before, choice.settings, flags);
  return { ...choice, switched, notice: switched ? switchNotice(choice.settings) : choice.notice };
}

async function chosenPlanning(
  context: Context,
  flags: PlanningFlags,
  made: { readonly plan?: Plan; readonly contextTexts?: Settings['context'] },
): Promise<Omit<PlanningChoice, 'switched'>> {
  const before = made.plan?.header.settings;
  const { resolved, own } = await settingsFor(context, flags, made.plan);
  const apiKey = apiKeyOf(context.environment.variables);
  const kind = chooseKind(flags, before, { resolved, own, apiKey });
  const given = [...new Set([...(before?.given ?? []), ...Object.keys(flags.settings ?? {})])];
  const settings = {
    ...planSettings(resolved, kind, given, made.contextTexts ?? before?.context),
    // Of a plan that is there it was settled when it was made; it can be left out from then on.
    ...(before?.triage === true && resolved.values.triage !== false ? { triage: true } : {}),
  };
  const shared = { settings, resolved, own: ownOf(settings, flags, own), notice: null };
  if (kind === 'rules') {
    const chosen = resolved.values.expander === 'rules' || before !== undefined;
    const makeExpander: PlanningChoice['makeExpander'] = (_spent, emit) => makeRulesExpander(context, emit);
    return { ...shared, notice: chosen ? null : noModel(context, resolved), makeExpander, connect: null };
  }
  if (kind === 'agent') return { ...shared, makeExpander: refuseToExpand, connect: null };
  if (kind === 'replay') {
    const replay = await readRecording(context, flags.replay, { before, own });
    return {
      ...shared,
      settings: { ...settings, replay: replay.file },
      own: { ...shared.own, ...(flags.replay === undefined ? {} : { replay: flags.replay }) },
      ...asking(context, { settings, resolved, replay }),
    };
  }
  if (isCommandModel(settings.model)) {
    const command = trustedCommand(settings.model, resolved, await context.userConfig(), own);
    return { ...shared, ...asking(context, { settings, resolved, command, record: flags.record }) };
  }
  const endpoint = endpointOf(resolved, apiKey, await context.userConfig(), own.base_url);
  const source = resolved.sources.base_url;
  const isOwnServer = source === 'flag' || source === 'environment';
  return {
    ...shared,
    settings: resolved.values.base_url === undefined ? settings : { ...settings, base_url: endpoint.baseUrl },
    own: { ...shared.own, ...(isOwnServer ? { base_url: endpoint.baseUrl } : {}) },
    ...asking(context, { settings, resolved, endpoint, record: flags.record }),
  };
}

/** Returns the choice with the question first which goals of a document are work, where a model plans and nobody refuses it. */
export function withTriage({ settings, resolved, ...choice }: PlanningChoice): PlanningChoice {
  const asks = settings.expander !== 'rules' && resolved.values.triage !== false;
  return { ...choice, resolved, settings: asks ? { ...settings, triage: true } : settings };
}

/**
 * Chooses every setting for planning, with what the user himself gave for the plan before.
 * @throws PlanError INVALID_CONFIG, INVALID_INPUT
 */
export async function settingsFor(
  context: Context,
  flags: PlanningFlags,
  plan: Plan | undefined,
): Promise<{ readonly resolved: ResolvedSettings; readonly own: OwnSettings }> {
  const { environment } = context;
  const own = plan === undefined ? {} : await readOwnSettings(environment, plan.header.id);
  const resolved = resolveSettings({
    flags: flags.settings ?? {},
    plan: plan?.header.settings,
    own,
    environment: environment.variables,
    project: await context.projectConfig(),
    user: await context.userConfig(),
  });
  return { resolved, own };
}

/** What the user gave of settings that a repository could do harm with, as the plan keeps it. */
function ownOf(
  settings: Settings,
  { settings: flags = {} }: PlanningFlags,
  before: OwnSettings,
): OwnSettings {
  const given = Object.entries(settings).filter(
    ([name, value]) =>
      GUARDED_SETTINGS.includes(name) && (Object.hasOwn(flags, name) || isGivenByUser(before, name, value)),
  );
  return { ...before, ...Object.fromEntries(given) };
}

/** The same model for expansions and for other questions. */
function asking(
  context: Context,
  wiring: Omit<ModelWiring, 'spent' | 'emit'>,
): Pick<PlanningChoice, 'makeExpander'> & { readonly connect: Connect } {
  const connect: Connect = (spent, emit, spending) =>
    connectPlanner(context, { ...wiring, spent, emit, ...spending });
  return {
    connect,
    makeExpander: async (spent, emit, spending) => {
      const { createModelExpander } = await import('../../planning/model/model-expander.js');
      return createModelExpander({ ...(await connect(spent, emit, spending)), settings: wiring.settings });
    },
  };
}

/** Remembers the planning settings that the user himself gave for a plan, so that resuming it needs no flag. */
export async function rememberOwnSettings(
  { environment }: Context,
  planId: string,
  { own }: PlanningChoice,
): Promise<void> {
  await noteOwnSettings(environment, planId, own);
}

/** Says why the rules plan though nobody asked for them, and what would have a model plan. */
function noModel({ environment }: Context, { values: { model }, sources }: ResolvedSettings): string {
  if (model !== undefined && sources.model !== 'default')
    return (
      `Planned by the built-in rules: the model ${model} is set, but no server for it. ` +
      '`plan config set base_url URL --user` names one; OPENAI_API_KEY alone is enough for OpenAI.'
    );
  const { variables, workingFolder: folder } = environment;
  const agent = AGENT_NAMES.find((name) => findHelper(name, { variables, folder }) !== null);
  return (
    'Planned by the built-in rules, because no model is configured. ' +
    (agent === undefined
      ? 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for any OpenAI-compatible server, to plan with a model.'
      : `${agent} is installed: --model exec:${agent} plans with it and needs no key. Or set OPENAI_API_KEY, or OPENAI_BASE_URL.`)
  );
}

interface Choosing {
  readonly resolved: ResolvedSettings;
  readonly own: OwnSettings;
  readonly apiKey: string | null;
}

function chooseKind(
  flags: PlanningFlags,
  before: Settings | undefined,
  { resolved, own, apiKey }: Choosing,
): Settings['expander'] {
  if (flags.replay !== undefined) return 'replay';
  const given = flags.settings?.expander ?? (asksForModel(flags) ? 'model' : undefined);
  const asked = given ?? kindOfPlan(before, resolved, own) ?? resolved.values.expander;
  if (asked === undefined) return hasModel(resolved, apiKey) ? 'model' : 'rules';
  if (asked === 'model' && !hasModel(resolved, apiKey)) throw noWayToModel(flags);
  return asked;
}

function noWayToModel({ settings }: PlanningFlags): PlanError {
  const model = settings?.model === undefined ? 'a model' : `the model ${settings.model}`;
  return new PlanError(
    'INVALID_CONFIG',
    `${model} is asked for, but none is configured: neither a key nor base_url is set`,
    {
      hint: {
        commandLine:
          'Set OPENAI_API_KEY, or give --base-url (OPENAI_BASE_URL); or plan with --expander rules.',
      },
      details: { missing: ['OPENAI_API_KEY', 'base_url'] },
    },
  );
}

/** Whether flags have a plan planned by another than before. */
function isOther(before: Settings, now: Settings, flags: PlanningFlags): boolean {
  const differs = (name: 'expander' | 'model' | 'base_url') => before[name] !== now[name];
  const otherModel = now.expander === 'model' && (differs('model') || differs('base_url'));
  return namesPlanner(flags) && (differs('expander') || otherModel);
}

function switchNotice({ expander, model }: Settings): string {
  if (expander === 'rules') return 'From here on the built-in rules plan this plan.';
  if (expander === 'agent') return 'From here on whoever answers `plan ask` plans this plan.';
  return `From here on ${expander === 'replay' ? 'the recording' : `the model ${model ?? ''}`} plans this plan.`;
}

/** The plan's own expander. A plan has no model asked for a user who wants none, unless he gave it so himself. */
function kindOfPlan(
  before: Settings | undefined,
  { values, sources }: ResolvedSettings,
  own: OwnSettings,
): Settings['expander'] | undefined {
  const wantsNone =
    (values.expander === 'rules' || values.expander === 'agent') &&
    (sources.expander === 'user' || sources.expander === 'environment');
  return before?.expander === 'model' && wantsNone && own.expander !== 'model'
    ? values.expander
    : before?.expander;
}

/** Nobody is asked by this process: whoever plans asks for the questions. */
async function refuseToExpand(): Promise<Expander> {
  throw new PlanError('WRONG_STATE', 'an agent plans this plan, and no model is asked', {
    hint: {
      commandLine:
        '`plan replan GOAL` has it asked about again, `plan ask` shows the questions; `plan split GOAL --into …` says the sub-goals; --model or --expander rules has another divide it.',
    },
  });
}

async function makeRulesExpander(context: Context, emit: Emit): Promise<Expander> {
  const load = context.features.find(({ expander }) => expander !== undefined)?.expander;
  if (load !== undefined) return (await load())(context, emit);
  throw new PlanError('INVALID_CONFIG', 'no model is configured, and nothing here plans without one');
}

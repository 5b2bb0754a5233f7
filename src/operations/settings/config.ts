import * as z from 'zod';

import { wordIssue } from '../../kernel/word-issue.js';
import { CONFIG_EXPANDERS } from '../../plan/choices.js';
import { messageOf, PlanError } from '../../kernel/errors.js';
import { isNestedTooDeep } from '../../kernel/json/nesting.js';
import { jsonPath } from '../../plan/invariants.js';
import { budgetSchema, settingsSchema } from '../../plan/schema.js';
import { findLostMember } from '../../plan/snapshot/lost-members.js';
import { readTextFileIfAny } from '../../host/files/text-files.js';
import { projectWorkSchema, refuseCommandsOfRepository, userWorkSchema } from './work-config.js';
import type { SettingsDocument } from '../../storage/documents.js';
import { userConfigPath } from '../shared/environment.js';
import type { Environment } from '../shared/environment.js';
import {
  extraBodySchema,
  extraHeadersSchema,
  refuseFromRepository,
  refuseFromUser,
  refuseStoredSecrets,
} from './extra-request.js';

const { shape } = settingsSchema;
const NO_CONFIG = 'NO_CONFIG';

/** What a config file may hold; the same in `.plans/config.json` and in the user's own. */
export const projectConfigSchema = z
  .strictObject({
    expander: z.enum(CONFIG_EXPANDERS).optional(),
    model: z.string().min(1).optional(),
    base_url: z.string().min(1).optional(),
    fallback_models: z.array(z.string().min(1)).optional(),
    assess: shape.assess.optional(),
    order: shape.order.optional(),
    prompt_variant: shape.prompt_variant,
    max_depth: shape.max_depth.optional(),
    max_children: shape.max_children.optional(),
    max_goals: shape.max_goals.optional(),
    concurrency: shape.concurrency.optional(),
    link: shape.link,
    triage: z
      .boolean()
      .optional()
      .describe('Whether planning a document asks first which of its goals are work.'),
    requests_at_once: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Most requests to the model under way at once, over all workers.'),
    requests_per_minute: z
      .int()
      .min(1)
      .max(10_000_000)
      .optional()
      .describe('Most requests to the model in a minute, over all workers.'),
    budget: z.strictObject(budgetSchema.shape).optional(),
    prices: z
      .record(
        z.string(),
        z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() }),
      )
      .optional()
      .describe('US dollars per million tokens, by model.'),
    timeout_ms: z.int().positive().optional().describe('Longest silence of a server, in milliseconds.'),
    max_retries: z.int().min(0).max(100).optional().describe('Retries of one request to one model.'),
    max_output_tokens: z.int().min(256).optional(),
    context_tokens: z.int().min(2000).optional().describe('What the model can read at once.'),
    reasoning_effort: z
      .string()
      .regex(/^[a-z]{1,20}$/, 'not a word such as low, medium or high')
      .optional(),
    api_version: z
      .string()
      .regex(/^[\w.-]{1,40}$/, 'not a version')
      .optional()
      .describe('Sent as the query api-version, as Azure wants it.'),
    extra_headers: extraHeadersSchema.optional(),
    extra_body: extraBodySchema.optional(),
    approval: z
      .strictObject({
        signers: z.string().min(1).describe('An allowed-signers file, relative to the project.'),
        min: z.int().min(1).max(20).optional().describe('Signatures that a run needs; 1 when left out.'),
      })
      .optional()
      .describe('Who approves runs of action plans, by SSH signatures in place of a code.'),
    store: z
      .enum(['files', 'postgres'])
      .optional()
      .describe('Where plans and runs are kept; the project alone says it. Files when left out.'),
    database_url: z
      .string()
      .min(1)
      .optional()
      .describe('The PostgreSQL database of `store: postgres`; only you can say it.'),
    work: projectWorkSchema.optional().describe('How `plan work` checks what agents do.'),
  })
  .meta({ title: 'frctl config' });

export const userConfigSchema = projectConfigSchema.extend({
  work: userWorkSchema.optional().describe('Which agents `plan work` starts, and how.'),
  trusted_base_urls: z.array(z.string()).optional(),
  model_command: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('The command of `--model exec:command`, word by word; no shell reads it.'),
  trusted_commands: z
    .array(z.string())
    .optional()
    .describe('Models that are commands and that a repository may name.'),
  trusted_prompts: z.array(z.string()).optional().describe('Digests of the prompts of repositories.'),
  trusted_tools: z
    .array(z.strictObject({ file: z.string(), digest: z.string() }))
    .optional()
    .describe('Tools files whose tools may be run as they are now, by their paths.'),
  trusted_approvers: z
    .array(z.strictObject({ project: z.string(), signers: z.string(), list: z.string(), min: z.int() }))
    .optional()
    .describe('Who approves runs, by projects: a list of signers as it is now, and how many must sign.'),
  trusted_files: z
    .array(z.strictObject({ file: z.string(), digest: z.string() }))
    .optional()
    .describe('What earlier versions trusted without saying for what: it has no effect.'),
  unasked_tools: z
    .array(z.string())
    .optional()
    .describe('Tools that run without an approval, whatever their effects.'),
  tools: z
    .strictObject({
      allow_env: z
        .array(z.string().regex(/^[A-Za-z_]\w*$/, 'not the name of a variable'))
        .optional()
        .describe('Variables that tools files may set although they choose a program or load code.'),
    })
    .optional(),
});

export type ProjectConfig = z.infer<typeof projectConfigSchema>;
export type UserConfig = z.infer<typeof userConfigSchema>;
/** A config as it is in its file: whatever else is wrong with it, one setting can be mended. */
export type StoredConfig = Readonly<Record<string, unknown>>;
export type ConfigName = keyof ProjectConfig;

export const CONFIG_NAMES: readonly ConfigName[] = projectConfigSchema.keyof().options;

/** @throws PlanError INVALID_CONFIG naming file and JSON path */
export async function readProjectConfig(settings: SettingsDocument): Promise<ProjectConfig> {
  return projectConfigOf(await settings.read(), settings.location);
}

function projectConfigOf(text: string | null, location: string): ProjectConfig {
  refuseCommandsOfRepository(storedConfig(text, location), location);
  const config = parseText(text, location, projectConfigSchema);
  refuseFromRepository(config, location);
  return config;
}

/** @throws PlanError INVALID_CONFIG naming file and JSON path */
export async function readUserConfig(environment: Environment): Promise<UserConfig> {
  const path = userConfigPath(environment);
  const config = parseText(await readTextFileIfAny(path), path, userConfigSchema);
  refuseStoredSecrets(config.extra_headers, path);
  refuseFromUser(config, path);
  return config;
}

/**
 * Parses one setting of the config from a flag or an environment variable.
 * @param place how the user calls it, such as `--max-depth`
 * @throws PlanError INVALID_INPUT
 */
export function parseSetting(name: ConfigName, text: string, place: string): ProjectConfig {
  const parsed = projectConfigSchema.safeParse({ [name]: settingValue(name, text) }, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PlanError(
    'INVALID_INPUT',
    issue === undefined
      ? `${place} is not allowed`
      : wordIssue(issue, placeIn(name, issue, place), !MAY_BE_SECRET.has(name)),
  );
}

/** Settings with values of which a message quotes none. */
const MAY_BE_SECRET: ReadonlySet<ConfigName> = new Set(['extra_headers', 'extra_body', 'database_url']);

function placeIn(name: ConfigName, { path }: z.core.$ZodIssue, place: string): string {
  const members = name.startsWith('extra_') ? path.slice(1) : [];
  return members.length === 0 ? place : `${place}: ${members.map(String).join('.')}`;
}

function parseText<T>(text: string | null, path: string, schema: z.ZodType<T>): T {
  return parseConfig(storedConfig(text, path), schema, path);
}

/** The members of a config's text. @throws PlanError INVALID_CONFIG where there are none to be changed one by one */
export function storedConfig(text: string | null, path: string): StoredConfig {
  if (text === null || text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw noConfig(path, `is not JSON: ${messageOf(cause)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw noConfig(path, 'is not a JSON object');
  return { ...value };
}

function noConfig(path: string, what: string): PlanError {
  return new PlanError('INVALID_CONFIG', `${path} ${what}`, {
    hint: { commandLine: 'Mend it by hand, or remove it; `plan doctor --fix` sets that of a store aside.' },
    details: { path, reason: NO_CONFIG },
  });
}

/** Whether an error says that a config has no settings that could be changed one by one. */
export function isNoConfig({ details }: PlanError): boolean {
  return details.reason === NO_CONFIG;
}

/** Checks the members of a config. @param place what holds it, for messages @throws PlanError INVALID_CONFIG */
export function parseConfig<T>(value: unknown, schema: z.ZodType<T>, place: string): T {
  const secret =
    typeof value === 'object' && value !== null
      ? Object.keys(value).find((key) => /key|secret|token$/i.test(key))
      : undefined;
  if (secret !== undefined) {
    throw new PlanError('INVALID_CONFIG', `${place} holds ${secret}; keys are never kept in a file`, {
      hint: {
        commandLine: `Remove it (\`plan config unset ${secret}\`), and set OPENAI_API_KEY in the environment.`,
      },
    });
  }
  refuseLostMember(value, place);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const problems = issues.map((issue) => ({
    path: jsonPath(issue.path),
    message: wordIssue(issue, '', false).trim(),
  }));
  throw new PlanError('INVALID_CONFIG', wordProblem(issues[0], place), {
    hint: { commandLine: howToMend(issues[0]) },
    details: { problems },
  });
}

/** Nothing that is said is lost in silence, also not the one name that the schemas leave out. */
function refuseLostMember(value: unknown, place: string): void {
  if (isNestedTooDeep(value)) throw new PlanError('INVALID_CONFIG', `${place} is nested too deep`);
  const lost = findLostMember(value);
  if (lost !== null)
    throw new PlanError('INVALID_CONFIG', `${place}: a member called __proto__ cannot be kept`, {
      hint: ['Give it another name.'],
      details: { problems: [{ path: jsonPath(lost), message: 'cannot be kept' }] },
    });
}

/** What is wrong with a setting. Only numbers are quoted: whatever else stands there may be a secret. */
function wordProblem(issue: z.core.$ZodIssue | undefined, place: string): string {
  if (issue === undefined) return `${place}: not a config`;
  const name = issue.path.join('.');
  const isOfPlace = name !== '' && place.endsWith(` ${name}`);
  return isOfPlace ? wordIssue(issue, place, false) : `${place}: ${wordIssue(issue, name, false)}`;
}

/** The settings there are, for one that is none; else the commands that change the setting that is wrong. */
function howToMend(issue: z.core.$ZodIssue | undefined): string {
  const name = issue?.path[0];
  if (name === undefined) return `There are the settings ${CONFIG_NAMES.join(', ')}.`;
  if (!(CONFIG_NAMES as readonly PropertyKey[]).includes(name))
    return `\`plan config unset ${String(name)} --user\` takes it out; or mend it by hand.`;
  return `\`plan config set ${String(name)} VALUE\` sets it, \`plan config unset ${String(name)}\` takes it out; with --user in your own config.`;
}

const TEXTS: ReadonlySet<string> = new Set([
  'expander',
  'model',
  'base_url',
  'assess',
  'order',
  'prompt_variant',
  'reasoning_effort',
  'api_version',
  'store',
  'database_url',
]);

/** The value of a config setting as it is typed. */
export function settingValue(name: string, text: string): unknown {
  if (TEXTS.has(name)) return text;
  if (name === 'fallback_models' && !text.startsWith('['))
    return text.split(',').map((model) => model.trim());
  return jsonOr(text);
}

/** A text of the config as the JSON that it is, else as itself. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

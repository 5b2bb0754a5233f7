import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { shellWord } from '../../kernel/text/shell-word.js';

/** Headers that the protocol or the connection decides. */
const OWN_HEADERS =
  /^(?:accept|accept-encoding|connection|content-encoding|content-length|content-type|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;
/** Members of a request that its meaning, its budget or the reading of its reply depends on. */
const OWN_MEMBERS = new Set([
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'model',
  'n',
  'stream',
  'stream_options',
]);
const SECRET = /auth|cookie|key|password|secret|token/i;
/** A shorter word is part of any text. */
const LEAST_SECRET = 8;
const VARIABLE = /\$\{env:([A-Za-z_]\w*)\}/g;

/** Headers that are sent with every request to a model; `${env:NAME}` in a value stands for a variable. */
export const extraHeadersSchema = z.record(
  z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'not the name of a header')
    .refine((name) => !OWN_HEADERS.test(name), 'a header that cannot be set'),
  z.string().regex(/^[\x20-\x7e]{0,4096}$/, 'not the value of a header'),
);

/** Members that are added to every request to a model; null leaves out one that would be sent. */
export const extraBodySchema = z.record(
  z
    .string()
    .min(1)
    .refine((name) => !OWN_MEMBERS.has(name), 'a member that cannot be set'),
  z.json(),
);

/** Settings that no repository may say, but the user alone. */
const OWN_ALONE = ['extra_headers', 'extra_body', 'database_url'];
/** Settings that a project alone may say. */
const PROJECT_ALONE = ['store'];

type ExtraHeaders = z.infer<typeof extraHeadersSchema>;

/**
 * Refuses an extra header that keeps a secret in a file: a header of such a name has it from a variable.
 * @throws PlanError INVALID_CONFIG
 */
export function refuseStoredSecrets(headers: ExtraHeaders | undefined, place: string): void {
  const name = headerWithSecret(headers);
  if (name !== undefined) throw storedSecret(`${place} holds a secret in the header ${name}`);
}

/**
 * Refuses to set an extra header that would keep a secret in a file.
 * @throws PlanError INVALID_CONFIG
 */
export function refuseToStoreSecrets(headers: ExtraHeaders | undefined, place: string): void {
  const name = headerWithSecret(headers);
  if (name !== undefined) throw storedSecret(`the header ${name} would keep a secret in ${place}`);
}

function headerWithSecret(headers: ExtraHeaders | undefined): string | undefined {
  return Object.entries(headers ?? {}).find(
    ([name, value]) => SECRET.test(name) && value.replaceAll(VARIABLE, '') === value,
  )?.[0];
}

function storedSecret(message: string): PlanError {
  return new PlanError('INVALID_CONFIG', message, {
    hint: ['Put it into a variable, and "${env:NAME}" in its place.'],
  });
}

/**
 * Refuses what a repository has no business with: a header can send a request, key and all, elsewhere behind a gateway, and
 * carry out what is in the environment; a member can make it dearer; a database can be a stranger's, or another of yours.
 * @throws PlanError INVALID_CONFIG
 */
export function refuseFromRepository(config: object, place: string): void {
  const name = OWN_ALONE.find((one) => Object.hasOwn(config, one));
  if (name === undefined) return;
  throw new PlanError('INVALID_CONFIG', `${place} holds ${name}, which only your own config can set`, {
    hint: { commandLine: `Remove it, and set it in your own config: \`plan config set ${name} … --user\`.` },
  });
}

/**
 * Refuses in the user's settings what a project alone can say: where its plans are.
 * @throws PlanError INVALID_CONFIG
 */
export function refuseFromUser(config: object, place: string): void {
  const name = PROJECT_ALONE.find((one) => Object.hasOwn(config, one));
  if (name === undefined) return;
  throw new PlanError('INVALID_CONFIG', `${place} sets ${name}, which only the config of a project can set`, {
    hint: { commandLine: `Remove it, and run \`plan config set ${name} …\` in the project.` },
  });
}

/**
 * Refuses to set what may not be set in this config, but in the other one.
 * @param name of the setting, or of a member of one
 * @param isOwn whether it is the user's own config
 * @throws PlanError INVALID_CONFIG
 */
export function refuseWrongConfig(name: string, isOwn: boolean): void {
  const [setting = ''] = name.split('.', 1);
  if (!(isOwn ? PROJECT_ALONE : OWN_ALONE).includes(setting)) return;
  throw isOwn
    ? new PlanError('INVALID_CONFIG', `only the config of a project can set ${setting}`, {
        hint: { commandLine: `Run \`plan config set ${shellWord(name)} …\` without --user, in the project.` },
      })
    : new PlanError('INVALID_CONFIG', `only your own config can set ${setting}`, {
        hint: {
          commandLine: `A repository must not decide it for you. Run \`plan config set ${shellWord(name)} … --user\`.`,
        },
      });
}

/**
 * The extra headers as they are sent, and what nobody may see of them: values of variables, and of headers whose names say so.
 * @throws PlanError INVALID_CONFIG for a variable that is not set
 */
export function headersToSend(
  headers: ExtraHeaders = {},
  variables: Readonly<Record<string, string | undefined>>,
): { readonly headers: Readonly<Record<string, string>>; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  const valueOf = (name: string, variable: string): string => {
    const value = variables[variable]?.trim() ?? '';
    if (!/^[\x20-\x7e]+$/.test(value))
      throw new PlanError('INVALID_CONFIG', `the header ${name} needs the variable ${variable}`, {
        hint: [`Set ${variable} in the environment, to what a header can hold.`],
      });
    secrets.push(value);
    return value;
  };
  const sent = Object.entries(headers).map(([name, text]) => {
    const value = text.replaceAll(VARIABLE, (_whole, variable: string) => valueOf(name, variable));
    if (SECRET.test(name)) for (const word of [value, ...wordsOf(value)]) secrets.push(word);
    return [name.toLowerCase(), value];
  });
  return { headers: Object.fromEntries(sent), secrets };
}

/** A secret behind a scheme or a name, as in `Bearer …` and `session=…`, is one without it too. */
function wordsOf(value: string): readonly string[] {
  return value.split(/[\s=;,:]+/).filter(({ length }) => length >= LEAST_SECRET);
}

/** The extra headers as they may be shown: what is not a variable's name may be a secret. */
export function shownHeaders(headers: ExtraHeaders): ExtraHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replaceAll(VARIABLE, '') === value && SECRET.test(name) ? '(set)' : value,
    ]),
  );
}

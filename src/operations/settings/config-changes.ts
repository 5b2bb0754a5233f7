import { dirname } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { whileLocked } from '../../host/files/file-lock.js';
import { realFolder } from '../../host/files/folders.js';
import { makeFolder } from '../../host/files/make-folder.js';
import { replaceFile } from '../../host/files/replace-file.js';
import { storageError } from '../../host/files/storage-error.js';
import { readTextFileIfAny } from '../../host/files/text-files.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { SettingsDocument } from '../../storage/documents.js';
import { userConfigPath } from '../shared/environment.js';
import type { Environment } from '../shared/environment.js';
import {
  CONFIG_NAMES,
  jsonOr,
  parseConfig,
  projectConfigSchema,
  readUserConfig,
  storedConfig,
  settingValue,
  userConfigSchema,
} from './config.js';
import type { StoredConfig, UserConfig } from './config.js';
import { refuseToStoreSecrets } from './extra-request.js';

/** A setting as it is typed: JSON where it is no text; a name with a dot (`budget.calls`) is a member of one. */
export interface SettingChange {
  readonly name: string;
  /** Null takes it out. */
  readonly value: string | null;
}

/**
 * Changes one setting of the user's own config, as it is when no other process changes it. The file itself may be a
 * link of the user's. What else is wrong in it stays, to be mended in turn. Nothing is written where it is so already.
 * @returns whether the config is another now
 * @throws PlanError INVALID_CONFIG, STORAGE_FAILED
 */
export async function changeUserSetting(environment: Environment, change: SettingChange): Promise<boolean> {
  return rewriteUserConfig(environment, async (path) => {
    const before = storedConfig(await readTextFileIfAny(path), path);
    const after = changed(before, change, userConfigSchema, (set) => {
      refuseToStoreSecrets(set.extra_headers, path);
    });
    return otherText(before, after);
  });
}

/**
 * Changes one setting in the config of a store, as it is when no other process changes it. Nothing is written where it
 * is so already.
 * @returns whether the config is another now
 * @throws PlanError INVALID_CONFIG, STORAGE_FAILED
 */
export async function changeProjectSetting(
  settings: SettingsDocument,
  change: SettingChange,
): Promise<boolean> {
  const textAfter = (text: string | null): string | null => {
    const before = storedConfig(text, settings.location);
    return otherText(before, changed(before, change, projectConfigSchema));
  };
  // Not even a lock is written for nothing, and the folder that it is in.
  if (textAfter(await settings.read()) === null) return false;
  let differs = false;
  await settings.change((text) => {
    const after = textAfter(text);
    differs = after !== null;
    return after;
  });
  return differs;
}

/**
 * Changes the user's own config as a whole.
 * @throws PlanError INVALID_CONFIG, STORAGE_FAILED
 */
export async function changeUserConfig(
  environment: Environment,
  change: (config: UserConfig) => UserConfig,
): Promise<void> {
  await rewriteUserConfig(environment, async () => {
    const before = await readUserConfig(environment);
    return otherText(before, change(before));
  });
}

/** For nobody but the user: a URL in it may hold a password. */
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;

/**
 * Writes the user's own config anew, as long as no other process changes it.
 * @param textAfter what it is to be, by where it is; null where it is to stay as it is, and then nothing is written
 * @returns whether it was written
 */
async function rewriteUserConfig(
  environment: Environment,
  textAfter: (path: string) => Promise<string | null>,
): Promise<boolean> {
  const path = realFolder(userConfigPath(environment));
  if ((await textAfter(path)) === null) return false;
  await makeFolder(dirname(path), OWN_FOLDER).catch((cause: unknown) => {
    throw storageError('create', dirname(path), cause);
  });
  return whileLocked(path, async () => {
    const text = await textAfter(path);
    return text !== null && replaceFile(path, text, { mode: OWN_FILE });
  });
}

/** The text of a config that is another now; null where it is as before. */
function otherText(before: object, after: object): string | null {
  const text = textOf(after);
  return text === textOf(before) ? null : text;
}

function textOf(config: object): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** @param check refuses what may not be in such a config */
function changed(
  config: StoredConfig,
  { name, value }: SettingChange,
  schema: typeof userConfigSchema | typeof projectConfigSchema,
  check: (set: UserConfig) => void = () => undefined,
): StoredConfig {
  if (value === null) return without(config, name);
  const set = settingOf(config, { name, value }, schema);
  check(set);
  return { ...config, ...set };
}

/** One setting as it will be. @throws PlanError INVALID_CONFIG */
function settingOf(
  config: StoredConfig,
  { name, value: text }: { readonly name: string; readonly value: string },
  schema: typeof userConfigSchema | typeof projectConfigSchema,
): UserConfig {
  const { top, member } = partsOf(name);
  if (!(CONFIG_NAMES as readonly string[]).includes(top)) throw noSetting(name);
  const value =
    member === undefined ? settingValue(top, text) : { ...membersOf(config, top), [member]: jsonOr(text) };
  return parseConfig({ [top]: value }, schema, `the setting ${name}`);
}

/** The config without a setting, or a member of one; a stored one that is no setting can be taken out too. */
function without(config: StoredConfig, name: string): StoredConfig {
  const { top, member } = partsOf(name);
  const whole = Object.hasOwn(config, name) ? name : member === undefined ? top : null;
  if (whole !== null) {
    if (!(CONFIG_NAMES as readonly string[]).includes(whole) && !Object.hasOwn(config, whole))
      throw noSetting(name);
    return Object.fromEntries(Object.entries(config).filter(([key]) => key !== whole));
  }
  if (!(CONFIG_NAMES as readonly string[]).includes(top)) throw noSetting(name);
  const before = membersOf(config, top);
  if (member === undefined || !Object.hasOwn(before, member)) return config;
  return { ...config, [top]: Object.fromEntries(Object.entries(before).filter(([key]) => key !== member)) };
}

function noSetting(name: string): PlanError {
  return new PlanError('INVALID_CONFIG', `${JSON.stringify(truncate(name, 40))} is not a setting`, {
    hint: {
      commandLine: /key|token|secret/i.test(name)
        ? 'A key is read from OPENAI_API_KEY in the environment and is kept nowhere.'
        : `Settings are ${CONFIG_NAMES.join(', ')}.`,
    },
  });
}

/** A setting and its member, which begins after the first dot and may hold others: `prices.gpt-4.1`. */
function partsOf(name: string): { readonly top: string; readonly member: string | undefined } {
  const dot = name.indexOf('.');
  return dot === -1
    ? { top: name, member: undefined }
    : { top: name.slice(0, dot), member: name.slice(dot + 1) };
}

function membersOf(config: StoredConfig, name: string): object {
  const value = Object.hasOwn(config, name) ? config[name] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

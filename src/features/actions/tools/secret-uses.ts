import { isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';

/** Where a variable of the user is given to somebody. */
export interface SecretUse {
  readonly variable: string;
  /** Members and positions, from the outside. */
  readonly at: readonly string[];
}

const USE = /\$\$\{|\$\{env:([A-Za-z_]\w*)\}/g;

/** What tells nobody a secret: where the user is, and how he is spoken to. */
const PLAIN =
  /^(?:PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|USER|LOGNAME|SHELL|PWD|TMPDIR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|NODE_ENV|EDITOR|VISUAL|PAGER|BROWSER)$/;

/**
 * Finds the variables of the user that a tool, a server or a whole tools file passes on: `${env:NAME}` wherever it stands,
 * and names that a list called `env` gives. Those that hold no secret, such as `PATH` and `LANG`, are left out.
 */
export function secretUses(value: JsonValue, at: readonly string[] = []): readonly SecretUse[] {
  if (typeof value === 'string')
    return Array.from(value.matchAll(USE), ([, variable = '']) => variable).flatMap((variable) =>
      useOf(variable, at),
    );
  if (isJsonList(value)) {
    const isPassedOn = at.at(-1) === 'env';
    return value.flatMap((item, index) =>
      isPassedOn && typeof item === 'string' ? useOf(item, at) : secretUses(item, [...at, String(index)]),
    );
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => secretUses(member, [...at, name]));
}

function useOf(variable: string, at: readonly string[]): readonly SecretUse[] {
  return variable === '' || PLAIN.test(variable) ? [] : [{ variable, at }];
}

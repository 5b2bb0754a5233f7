import { textOfJson } from '../../../kernel/json/json-text.js';
import { isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { followPath } from '../model/references.js';

/** A stretch of a template: text, an argument of the step, a secret of the environment, or something of the call itself. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'call'; readonly name: CallName };

/** What a template may say of the call: the key of the step's instance, its attempt, and what is waited for afterwards. */
const CALL_NAMES = ['key', 'attempt', 'wait'] as const;
type CallName = (typeof CALL_NAMES)[number];

/** What templates are filled from. */
export interface TemplateValues {
  readonly args: JsonObject;
  /** The value of a variable of the environment; undefined where it is not set. */
  readonly secret: (name: string) => string | undefined;
  readonly call: Readonly<Partial<Record<CallName, string | undefined>>>;
  /** Arguments whose values nobody knows yet; what is filled in from them is a {@link LaterError}. */
  readonly later?: ReadonlySet<string> | undefined;
}

/** Why a template cannot be filled; said to people as it is, so it holds no value. */
export class UnfilledError extends Error {
  override readonly name = 'UnfilledError';
}

/** Why a template cannot be filled yet: what it is filled from is known only when the call is made. */
export class LaterError extends Error {
  override readonly name = 'LaterError';
}

const MARK = /\$\$\{|\$\{([^{}]*)\}/g;
const NAME = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;
const SECRET = /^env:([A-Za-z_]\w*)$/;
const CALL = /^call:(\w+)$/;

/**
 * Reads a template: `${name}` and `${name.member}` stand for arguments of the step, `${args}` for all of them,
 * `${env:NAME}` for a variable of the environment, `${call:key}` for something of the call, and `$${` for `${` itself.
 * @throws UnfilledError for anything else between the braces
 */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const found of text.matchAll(MARK)) {
    if (found.index > from) parts.push({ kind: 'text', text: text.slice(from, found.index) });
    parts.push(found[1] === undefined ? { kind: 'text', text: '${' } : partOf(found[1]));
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

function partOf(name: string): TemplatePart {
  const secret = SECRET.exec(name)?.[1];
  if (secret !== undefined) return { kind: 'secret', name: secret };
  const said = CALL.exec(name)?.[1];
  const callName = CALL_NAMES.find((one) => one === said);
  if (callName !== undefined) return { kind: 'call', name: callName };
  if (!NAME.test(name))
    throw new UnfilledError(
      `\${${name}} is neither an argument of the step, nor \${env:NAME}, nor one of ${CALL_NAMES.map((one) => `\${call:${one}}`).join(', ')}`,
    );
  const [first = '', ...path] = name.split('.');
  return { kind: 'argument', name: first, path };
}

/** Every part of the templates in a value that is not text. @throws UnfilledError */
export function placeholdersIn(value: JsonValue): readonly Exclude<TemplatePart, { kind: 'text' }>[] {
  if (typeof value === 'string') return parseTemplate(value).filter((part) => part.kind !== 'text');
  if (isJsonList(value)) return value.flatMap(placeholdersIn);
  return isJsonObject(value) ? Object.values(value).flatMap(placeholdersIn) : [];
}

/**
 * Fills a template as text: scalars plainly, lists and objects as JSON. What is filled in is never read again.
 * @param encode what becomes of the text of each value
 * @throws UnfilledError for an argument or a variable that is not there
 */
export function fillText(
  template: string,
  values: TemplateValues,
  encode: (text: string) => string = (text) => text,
): string {
  return parseTemplate(template)
    .map((part) => (part.kind === 'text' ? part.text : encode(textOf(needed(part, values)))))
    .join('');
}

/** Fills a template as text as far as its values are known, and puts a NUL where one is not, for no word can hold one. */
export function fillKnown(template: string, values: TemplateValues): string {
  return parseTemplate(template)
    .map((part) => {
      if (part.kind === 'text') return part.text;
      try {
        const value = valueOf(part, values);
        return value === undefined ? '\0' : textOf(value);
      } catch (thrown) {
        if (thrown instanceof LaterError) return '\0';
        throw thrown;
      }
    })
    .join('');
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : textOfJson(value);
}

/**
 * Fills the templates of a value. A string that is one placeholder as a whole becomes the value itself; a member whose
 * value is an argument that the step does not have is left out, unless nothing may be missing.
 * @throws UnfilledError
 */
export function fillValue(
  template: JsonValue,
  values: TemplateValues,
  missing: 'left out' | 'refused' = 'left out',
): JsonValue {
  if (typeof template === 'string') {
    const [only, ...others] = parseTemplate(template);
    return only !== undefined && only.kind !== 'text' && others.length === 0
      ? needed(only, values)
      : fillText(template, values);
  }
  if (isJsonList(template)) return template.map((item) => fillValue(item, values, missing));
  return isJsonObject(template) ? fillMembers(template, values, missing) : template;
}

/** Fills the templates in the members of an object, as `fillValue` does in a value. */
export function fillMembers(
  template: JsonObject,
  values: TemplateValues,
  missing: 'left out' | 'refused' = 'left out',
): JsonObject {
  const members = Object.entries(template).filter(
    ([, member]) => missing === 'refused' || !isLeftOut(member, values),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, fillValue(member, values, missing)]));
}

function isLeftOut(member: JsonValue, values: TemplateValues): boolean {
  if (typeof member !== 'string') return false;
  const [only, ...others] = parseTemplate(member);
  if (only === undefined || others.length > 0) return false;
  return (only.kind === 'argument' || only.kind === 'call') && valueOf(only, values) === undefined;
}

type Placeholder = Exclude<TemplatePart, { kind: 'text' }>;

function needed(part: Placeholder, values: TemplateValues): JsonValue {
  const value = valueOf(part, values);
  if (value !== undefined) return value;
  const way = part.kind === 'argument' ? [part.name, ...part.path].join('.') : '';
  const what = {
    argument: `there is no argument ${way}`,
    secret: `the environment variable ${part.name} is not set`,
    call: `the step gives no ${part.name}`,
  };
  throw new UnfilledError(what[part.kind]);
}

/** @throws LaterError */
function valueOf(part: Placeholder, { args, secret, call, later }: TemplateValues): JsonValue | undefined {
  if (part.kind === 'secret') {
    const value = secret(part.name);
    return value === '' ? undefined : value;
  }
  if (part.kind === 'call') return call[part.name];
  const way = part.name === 'args' ? part.path : [part.name, ...part.path];
  const [first] = way;
  if (later !== undefined && (first === undefined ? later.size > 0 : later.has(first)))
    throw new LaterError();
  const found = followPath(args, way);
  return 'found' in found ? found.found : undefined;
}

import * as z from 'zod';

import type { Operation } from '../operations/operation.js';
import { fieldOf } from '../operations/shared/fields.js';
import type { CommandLineField } from '../operations/shared/fields.js';
import type { CommandLineMember } from './shared/command-description.js';

/** What a command takes, as its input says. */
export interface CommandLine {
  readonly arguments: readonly CommandLineMember[];
  readonly options: readonly CommandLineMember[];
  /** Members that are standard input, by the member that names a file, `-` for that. */
  readonly standardInput: Readonly<Record<string, string>>;
}

/** Derives what a command takes from the input of its operation. */
export function commandLineOf({
  input,
  arguments: named,
}: Pick<Operation, 'input' | 'arguments'>): CommandLine {
  const members = membersOf(input);
  const find = (name: string) => members.find(({ path }) => path.length === 1 && path[0] === name);
  return {
    arguments: named.flatMap((name) => {
      const member = find(name);
      const schema = input.shape[name];
      return member === undefined || schema === undefined ? [] : [asArgument(member, schema)];
    }),
    options: members.filter(({ path }) => path.length > 1 || !named.includes(path[0] ?? '')),
    standardInput: Object.fromEntries(
      Object.entries(input.shape).flatMap(([name, schema]) => {
        const file = fieldOf(schema)?.textOf;
        return file === undefined ? [] : [[file, name]];
      }),
    ),
  };
}

/** What a command takes besides the members of an input: options of its own that say how to show the result. */
export function optionsOf(schema: z.ZodObject): readonly CommandLineMember[] {
  return membersOf(schema);
}

/** The option or argument that gives a member, as the user knows it. */
export function nameOnCommandLine(path: readonly PropertyKey[], line: CommandLine): string {
  const found = [...line.options, ...line.arguments].find(
    (member) => member.path.every((name, index) => path[index] === name) && member.path.length <= path.length,
  );
  if (found === undefined) return path.map(String).join('.');
  return /--[a-z-]+/.exec(found.flags)?.[0] ?? found.flags.replace(/[[\]<>.]/g, '');
}

function membersOf(
  schema: z.ZodObject,
  path: readonly string[] = [],
  prefix = '',
  onlyDescribed = false,
): readonly CommandLineMember[] {
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    const how = fieldOf(member);
    if ((onlyDescribed && how === undefined) || how?.hidden === true || how?.textOf !== undefined) return [];
    const inner = unwrapped(member);
    const memberPath = [...path, name];
    if (inner instanceof z.ZodObject) return membersOf(inner, memberPath, how?.prefix ?? '', true);
    const required = !z.safeParse(member, undefined).success;
    return [{ ...memberOf(inner, member.description ?? '', memberPath, prefix, how ?? {}), required }];
  });
}

function memberOf(
  schema: z.core.$ZodType,
  description: string,
  path: readonly string[],
  prefix: string,
  how: CommandLineField,
): CommandLineMember {
  const many = schema instanceof z.ZodArray;
  const one = many ? unwrapped(schema.element) : schema;
  const choices = one instanceof z.ZodEnum ? one.options.map(String) : undefined;
  const kind = one instanceof z.ZodBoolean ? 'toggle' : one instanceof z.ZodNumber ? 'number' : 'text';
  const flag = `--${how.negated === true ? 'no-' : ''}${prefix}${kebab(how.flag ?? path.at(-1) ?? '')}`;
  const value =
    kind === 'toggle' ? '' : ` <${how.value ?? (kind === 'number' ? 'n' : 'text')}${many ? '...' : ''}>`;
  return {
    flags: `${how.short === undefined ? '' : `-${how.short}, `}${flag}${value}`,
    description,
    ...(how.formerly === undefined ? {} : { formerFlags: `--${how.formerly}${value}` }),
    path,
    kind,
    many,
    negated: how.negated === true,
    factor: how.factor ?? 1,
    conflicts: how.conflicts,
    words: how.words,
    ...(choices === undefined ? {} : { choices }),
  };
}

function asArgument(member: CommandLineMember, schema: z.core.$ZodType): CommandLineMember {
  const value = /<([^<>]*)>/.exec(member.flags)?.[1] ?? member.path[0] ?? '';
  const optional = z.safeParse(schema, undefined).success || z.safeParse(schema, []).success;
  const name = `${value}${member.words === true ? '...' : ''}`;
  return { ...member, flags: optional ? `[${name}]` : `<${name}>` };
}

/** A schema without what says that its value may be missing. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodReadonly
  )
    inner = inner.unwrap();
  return inner;
}

function kebab(name: string): string {
  return name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

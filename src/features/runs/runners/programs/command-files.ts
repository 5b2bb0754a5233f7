import { resolve } from 'node:path';

import { isLiteral } from '../../../actions/tools/bindings.js';
import type { CommandBinding } from '../../../actions/tools/bindings.js';
import { fillKnown } from '../../../actions/tools/template.js';
import type { TemplateValues } from '../../../actions/tools/template.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';
import type { FilesSeen, KnownCall } from '../../model/tool.js';
import { findProgram, foldersOfPath, isLooking } from './find-program.js';
import { filesNamed, nameInWorkspace } from './program-files.js';
import type { FilesWanted, NamedFile } from './program-files.js';
import type { RunnerEnvironment } from '../runner-environment.js';

/** What starts a program: the binding of a tool, or of a server. */
export type Starting = Pick<CommandBinding, 'command' | 'shell' | 'env' | 'stdin' | 'writes'>;

/** What a program finds its own programs by where nothing says it. */
const DEFAULT_PATH = '/bin:/usr/bin';

/** The files of the workspace that belong to a program, by the command line that starts it. */
export interface CommandFiles {
  /** What the binding itself names: the program, words without arguments, variables. It is part of what the tool is. */
  ofBinding(): Promise<readonly NamedFile[]>;
  /** What a call names by its arguments, as far as these are known. @param seen what this look at several calls has read */
  ofCall(call: KnownCall, seen?: FilesSeen): Promise<readonly NamedFile[]>;
  /** What the program writes, as far as it is known. */
  written(call: KnownCall): readonly string[];
}

/**
 * Makes the looks at the files of a command line.
 * @param folder where it runs
 * @param which of a server that lives only programs count
 */
export function commandFiles(
  starting: Starting,
  folder: string,
  { root, variables }: RunnerEnvironment,
  which: FilesWanted['which'] = 'files',
): CommandFiles {
  const { shell = false, writes = [] } = starting;
  const secret = (name: string) => variables[name];
  const [first = '', ...rest] = starting.command;
  const values = valuesOf(starting.env, secret);
  const path = values.get('PATH') ?? variables.PATH ?? '';
  const home = variables.HOME ?? '/';
  const place = { path: path === '' ? DEFAULT_PATH : path, folder, root, home, which };
  const name = fillKnown(first, NOTHING);
  const program = shell ? null : findProgram(name, foldersOfPath(place.path, folder), folder);
  const started = shell ? first : name.includes('/') ? name : (program ?? '');
  const written = ({ args, later }: KnownCall) =>
    writes.map((name) => fillKnown(name, { ...NOTHING, args, later })).filter((name) => !name.includes('\0'));
  const writtenIn = (call: KnownCall) => new Set(written(call).map((name) => resolve(folder, name)));
  const looking = isLooking(program);
  const given = looking ? [] : rest;
  // Many a program runs what it reads.
  const read = looking || starting.stdin === undefined ? [] : [textOfTemplate(starting.stdin)];
  const own = { words: [started, ...literalsOf(given)], read: literalsOf(read) };
  const words = given.filter((word) => !isLiteral(word));
  const texts = read.filter((text) => !isLiteral(text));
  return {
    ofBinding: () =>
      filesNamed({ ...place, ...own, values: [...values.values()], writes: writtenIn(NO_CALL) }),
    async ofCall(call, seen) {
      if (words.length + texts.length === 0) return [];
      const known = { args: call.args, later: call.later, secret, call: { wait: call.wait } };
      const wanted = {
        ...place,
        words: words.map((word) => fillKnown(word, known)),
        read: texts.map((text) => fillKnown(text, known)),
        beside: [...own.words, ...own.read],
        writes: writtenIn(call),
        ...(seen && { seen }),
      };
      return (await filesNamed(wanted)).map((one) => ({ ...one, path: nameInWorkspace(one.file, root) }));
    },
    written,
  };
}

const NOTHING: TemplateValues = { args: {}, secret: () => undefined, call: {} };
const NO_CALL: KnownCall = { args: {}, later: new Set() };

/** What of templates holds nothing to be filled in, as it reads then. */
function literalsOf(templates: readonly string[]): readonly string[] {
  return templates.filter(isLiteral).map((word) => fillKnown(word, NOTHING));
}

function textOfTemplate(template: JsonValue): string {
  return typeof template === 'string' ? template : textOfJson(template);
}

/** The values that a binding sets its variables to, or passes on, by their names. */
function valuesOf(
  env: Starting['env'] = {},
  secret: (name: string) => string | undefined,
): ReadonlyMap<string, string> {
  const entries = Array.isArray(env)
    ? env.map((name) => [name, secret(name) ?? ''] as const)
    : Object.entries(env).map(
        ([name, template]) => [name, fillKnown(template, { ...NOTHING, secret })] as const,
      );
  return new Map(entries.filter(([, value]) => value !== ''));
}

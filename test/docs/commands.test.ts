import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { CONFIG_NAMES } from '../../src/operations/settings/config.js';
import { VARIABLES } from '../../src/operations/settings/settings.js';
import { SCHEMA_NAMES } from '../../src/operations/reading/published-schemas.js';
import { COMMANDS as SET } from '../../src/bin/commands.js';
import type { OperationGroup } from '../../src/operations/registered-operation.js';
import { completionCommand, describeCommands } from '../../src/cli/completion-command.js';
import { SHARED_OPTIONS } from '../../src/cli/shared/shared-options.js';

const PATH = resolve(import.meta.dirname, '../../docs/commands.md');
const PAGE = readFileSync(PATH, 'utf8');
const COMMANDS = await describeCommands(SET);
const ERRORS = readFileSync(resolve(import.meta.dirname, '../../src/kernel/errors.ts'), 'utf8');
/** The lists of flags that several commands take: a flag with the descriptions that the list stands for. */
const SHARED = {
  '--plan <plan>': /^the plan (?:of the goal )?\(default: that of/,
  '--by <name>': /^who /,
  '--reason <text>': /^why(?:, for the log)?$/,
  '--dry-run': /^only show what would change/,
  '--token <token>': /^what `plan claim` printed$/,
  '--for <time>': /^how long the claim holds/,
  '--tag <tag>': /^only (?:goals|plans with goals) that have this tag$/,
  '--text <words>': /^only (?:goals|plans with goals) that say these words/,
  '--touches <path>': /^only (?:goals|plans with goals) that are likely to change this/,
  '--dialect <dialect>': /^the dialect of the (?:file|plans) \(default: (?:found )?by/,
};
const MODEL = optionsIn(sectionOf('### Model flags'));
const PLANNING = optionsIn(sectionOf('### Planning flags'));

describe('docs/commands.md', () => {
  test.each(COMMANDS.map((command) => [command.name, command] as const))('describes %s', (name, command) => {
    const heading = headingOf(name);
    const args = command.arguments.map(({ flags }) => ` ${flags}`).join('');
    expect(heading).toContain(`\`plan ${name}${args}\``);
    const section = sectionOf(heading);
    for (const alias of command.aliases) expect(section).toContain(`Alias \`${alias}\``);
    const shared = tablesFor(section);
    for (const option of command.options) expect(section + shared).toContain(shown(option));
    const choices = [...command.arguments, ...command.options].flatMap((one) => one.choices ?? []);
    for (const choice of choices) expect(section + shared).toMatch(new RegExp(`\`${choice}[\` ]`));
  });

  // `npx vitest run test/docs/commands.test.ts -u` writes the lists again.
  test('lists the flags of every command, and no others, in the words of its help', async () => {
    await expect(COMMANDS.reduce(withFlags, PAGE)).toMatchFileSnapshot(PATH);
  });

  test('has no flag in a shared list that no command takes', () => {
    const known = COMMANDS.flatMap(({ options }) => options.map(({ flags }) => flags));
    expect(MODEL.length > 5 && PLANNING.length > 5).toBe(true);
    expect(known).toEqual(expect.arrayContaining([...MODEL, ...PLANNING, ...Object.keys(SHARED)]));
    expect(optionsIn(sectionOf('### Shared flags'))).toEqual(Object.keys(SHARED));
  });

  test.each(['Model', 'Planning'])('has in the list of %s flags what all its commands take', (name) => {
    const taking = COMMANDS.filter(({ name: command }) =>
      sectionOf(headingOf(command)).includes(`(#${name.toLowerCase()}-flags)`),
    ).map(({ options }) => options.map(({ flags }) => flags));
    const [first = [], ...others] = taking;
    expect(others.length).toBeGreaterThan(1);
    const ofAll = first.filter((flag) => others.every((flags) => flags.includes(flag)));
    expect(ofAll.filter((flag) => ![...MODEL, ...PLANNING, ...Object.keys(SHARED)].includes(flag))).toEqual(
      [],
    );
  });

  test('describes the options of every command', () => {
    for (const option of SHARED_OPTIONS) {
      expect(sectionOf('## Options of every command')).toContain(shown(option));
    }
  });

  test('has the commands in the chapters and in the order of the help', () => {
    const described = PAGE.split(/^## /m).flatMap((chapter) =>
      [...chapter.matchAll(/^### `plan ([a-z-]+)/gm)].map(([, name]) => [
        chapter.split('\n', 1)[0]?.toLowerCase(),
        name,
      ]),
    );
    const shown = [...COMMANDS].map(({ name }) => [groupOf(name), name] as const);
    const groups = [...new Set(shown.map(([group]) => group))];
    expect(described).toEqual(groups.flatMap((group) => shown.filter(([its]) => its === group)));
  });

  test('gives every error code the exit status it has, and names no other', () => {
    const codes = [...ERRORS.matchAll(/^ {2}([A-Z_]+): (\d+),$/gm)].map(
      ([, code, status]) => `${code} ${status}`,
    );
    expect(codes.length).toBeGreaterThan(20);
    const listed = [...sectionOf('### Error codes').matchAll(/^Exit (\d+):\n\n((?:- .+\n)+)/gm)].flatMap(
      ([, status, lines = '']) =>
        [...lines.matchAll(/^- `([A-Z_]+)`: \S/gm)].map(([, code]) => `${code} ${status}`),
    );
    expect(listed.toSorted()).toEqual(codes.toSorted());
    const statuses = [...sectionOf('## Exit status').matchAll(/^- (\d+): /gm)].map(([, status]) => status);
    expect(statuses).toEqual(expect.arrayContaining(codes.map((code) => code.split(' ')[1])));
  });

  test('names each command that can end with another status than 0 without an error, and no other', async () => {
    const ending = await Promise.all(
      Object.entries(SET.operations).map(async ([name, { load }]) =>
        (await load()).exitStatus === undefined ? [] : [name],
      ),
    );
    const [list = '', after = ''] = sectionOf('### What ends with 1').split('\n\nSix commands');
    const rows = [...list.matchAll(/`([a-z ]+)`/gm)].map(([, name]) => name);
    const others = [...after.matchAll(/`([a-z -]+)` with (?:4|130)/g)].map(([, name]) => name);
    expect(new Set([...rows, ...others])).toEqual(new Set(ending.flat()));
  });

  test.each(Object.keys(SET.operations))('names every member of what %s prints', (operation) => {
    const file = `${operation.replaceAll(' ', '-')}.output.schema.json`;
    const schema: unknown = JSON.parse(readFileSync(resolve('schemas/operations', file), 'utf8'));
    for (const member of membersOf(schema).filter((name) => name !== '$schema'))
      expect([member, PAGE]).toEqual([member, expect.stringMatching(new RegExp(`["\`]${member}["\`]`))]);
  });

  test('lists every published schema', () => {
    const rows = [...sectionOf('### `plan schema [name]`').matchAll(/^- `([a-z0-9-]+)`/gm)];
    expect(rows.map(([, name]) => name)).toEqual(SCHEMA_NAMES);
  });

  test.each(CONFIG_NAMES)('lists the setting %s with its variables', (name) => {
    const rows = sectionOf('## Settings', '### Keys')
      .split('\n')
      .filter((line) => line.startsWith(`| \`${name}\``) || line.startsWith(`| \`${name}.`));
    expect(rows).not.toEqual([]);
    for (const variable of VARIABLES[name] ?? []) expect(rows[0]).toContain(`\`${variable}\``);
  });
});

/** The members of a document, at its top and in each of its shapes. */
function membersOf(schema: unknown): readonly string[] {
  const { properties = {}, anyOf = [] } = schema as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly anyOf?: readonly unknown[];
  };
  return [...Object.keys(properties), ...anyOf.flatMap(membersOf)];
}

/** The chapter of the help that shows a command. */
function groupOf(name: string): OperationGroup {
  const own = Object.entries(SET.operations).find(([operation]) => operation.split(' ')[0] === name)?.[1]
    .group;
  const others = [...SET.others.map(({ command }) => command), completionCommand()];
  return own ?? others.find((command) => command.name === name)?.group ?? 'start';
}

/** The page with the list of one command's flags as its help describes them, where the list was or behind the first paragraph. */
function withFlags(page: string, command: (typeof COMMANDS)[number]): string {
  const heading = `\n${headingOf(command.name)}\n`;
  const start = page.indexOf(heading) + heading.length;
  const length = page.slice(start).search(/^#+ /m);
  const section = page.slice(start, start + length);
  const lines = flagLines(command);
  const list = /(?:^- (?:`-|\[(?:Model|Planning) ).*\n)+\n?/m;
  if (list.test(section)) return page.replace(section, () => section.replace(list, () => lines));
  if (lines === '') return page;
  return page.replace(
    heading + section,
    () => heading + section.replace(/^\n[^]*?\n(?:\n|$)/, (first) => `${first}${lines}`),
  );
}

function flagLines({ options }: (typeof COMMANDS)[number]): string {
  const names = new Set(options.map(({ flags }) => flags));
  const sets = [
    { flags: MODEL, name: '[Model flags](#model-flags)' },
    { flags: PLANNING, name: '[Planning flags](#planning-flags)' },
  ].filter(({ flags }) => flags.every((flag) => names.has(flag)));
  const inSets = new Set(sets.flatMap(({ flags }) => flags));
  const rest = options.filter(({ flags }) => !inSets.has(flags));
  const isShared = ({ flags, description }: (typeof options)[number]) =>
    (SHARED as Readonly<Record<string, RegExp>>)[flags]?.test(description) ?? false;
  const shared = rest
    .filter(isShared)
    .map(({ flags }) => `\`${flags.split(' ')[0]}\``)
    .join(', ');
  const others = [
    ...(shared === '' ? [] : [`${shared} ([shared](#shared-flags))`]),
    ...sets.map(({ name }) => name),
  ];
  const lines = [
    ...rest.filter((option) => !isShared(option)).map(flagLine),
    ...others.map((each) => `- ${each}`),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

function flagLine(option: (typeof COMMANDS)[number]['options'][number]): string {
  const choices = option.choices?.map((choice) => `\`${choice}\``).join(', ');
  return `- ${shown(option)}: ${option.description}${choices === undefined ? '' : ` (${choices})`}`;
}

/** The shared lists that a section of a command refers to. */
function tablesFor(section: string): string {
  return ['Shared', 'Model', 'Planning']
    .filter((name) => section.includes(`(#${name.toLowerCase()}-flags)`))
    .map((name) => sectionOf(`### ${name} flags`))
    .join('');
}

/** The options that a section has a line for. */
function optionsIn(section: string): string[] {
  return [...section.matchAll(/^- `(-[^`]*)`: \S/gm)].map(([, flags = '']) => flags);
}

function shown({ flags }: { readonly flags: string }): string {
  return `\`${flags}\``;
}

/** The heading, of whatever level, that names a command. */
function headingOf(command: string): string {
  const heading = PAGE.split('\n').find((line) => new RegExp(`^#+ .*\`plan ${command}[ \`]`).test(line));
  if (heading === undefined) throw new Error(`no heading names ${command}`);
  return heading;
}

/** From a heading to the next of any level, or to `end`. */
function sectionOf(heading: string, end?: string): string {
  const start = PAGE.indexOf(`\n${heading}\n`);
  if (start === -1) throw new Error(`there is no heading ${heading}`);
  const body = PAGE.slice(start + heading.length + 2);
  const length = end === undefined ? body.search(/^#+ /m) : body.indexOf(end);
  return length === -1 ? body : body.slice(0, length);
}

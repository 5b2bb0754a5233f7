import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { CONFIG_NAMES } from '../../src/operations/settings/config.js';
import { VARIABLES } from '../../src/operations/settings/settings.js';
import { describeCommands } from '../../src/interfaces/cli/completion-command.js';
import { SHARED_OPTIONS } from '../../src/interfaces/cli/shared-options.js';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/commands.md'), 'utf8');
const COMMANDS = await describeCommands();
const ERRORS = readFileSync(resolve(import.meta.dirname, '../../src/kernel/errors.ts'), 'utf8');
/** The sections that describe options that several commands share, by heading. */
const PLANNING = sectionOf('### Planning options');

describe('docs/commands.md', () => {
  test.each(COMMANDS.map((command) => [command.name, command] as const))('describes %s', (name, command) => {
    const heading = headingOf(name);
    const args = command.arguments.map(({ flags }) => ` ${flags}`).join('');
    expect(heading).toContain(`\`plan ${name}${args}\``);
    const section = sectionOf(heading);
    for (const alias of command.aliases) expect(section).toContain(`Alias \`${alias}\``);
    const shared = section.includes('planning options below') ? PLANNING : '';
    for (const option of command.options) expect(section + shared).toContain(shown(option));
    const choices = [...command.arguments, ...command.options].flatMap((one) => one.choices ?? []);
    for (const choice of choices) expect(section + shared).toMatch(new RegExp(`\`${choice}[\` ]`));
  });

  test.each(COMMANDS)('describes no option that $name does not take', ({ name, options }) => {
    const described = optionsIn(sectionOf(headingOf(name)));
    expect(options.map(({ flags }) => flags)).toEqual(expect.arrayContaining([...described]));
  });

  test('describes no planning option that there is not', () => {
    const known = COMMANDS.flatMap(({ options }) => options.map(({ flags }) => flags));
    expect(known).toEqual(expect.arrayContaining([...optionsIn(PLANNING)]));
  });

  test('describes the options of every command', () => {
    for (const option of SHARED_OPTIONS) {
      expect(sectionOf('## Options of every command')).toContain(shown(option));
    }
  });

  test('gives every error code the exit status it has, and names no other', () => {
    const codes = [...ERRORS.matchAll(/^ {2}([A-Z_]+): (\d+),$/gm)].map(
      ([, code, status]) => `${code} ${status}`,
    );
    expect(codes.length).toBeGreaterThan(20);
    const rows = [...sectionOf('## Exit status').matchAll(/^\| (\d+) +\|[^|]*\|([^|]*)\|$/gm)];
    const described = rows.flatMap(([, status, names = '']) =>
      [...names.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => `${code} ${status}`),
    );
    expect(described.toSorted()).toEqual(codes.toSorted());
  });

  test.each(CONFIG_NAMES)('lists the setting %s with its variables', (name) => {
    const rows = sectionOf('## Settings', '### Keys')
      .split('\n')
      .filter((line) => line.startsWith(`| \`${name}\``) || line.startsWith(`| \`${name}.`));
    expect(rows).not.toEqual([]);
    for (const variable of VARIABLES[name] ?? []) expect(rows[0]).toContain(`\`${variable}\``);
  });
});

/** The options that a section has a row for. */
function optionsIn(section: string): string[] {
  return [...section.matchAll(/^\| `(-[^`]*)`/gm)].map(([, flags = '']) => flags);
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

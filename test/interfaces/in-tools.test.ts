import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { inTools, WAYS } from '../../src/interfaces/mcp/in-tools.js';

/** The texts of all that is below the interfaces, as they are when their values are filled in. */
const TEXTS = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('interfaces'))
  .map((name) =>
    readFileSync(join('src', name), 'utf8')
      .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '1.2')
      .replaceAll('\\`', '`'),
  );
/** What they say next to a member `hint`, up to the end of the line. */
const HINTS = TEXTS.flatMap((text) =>
  Array.from(text.matchAll(/\bhint:\s*(?:[^\n]*\?\s*)?['`](.*)['`][,}\s]/g), ([, hint = '']) => hint),
);

describe('a hint of a command, for whoever has tools and no shell', () => {
  test.each(WAYS.map(([words]) => [words] as const))('is still worded as %s reads it', (words) => {
    expect(TEXTS.some((text) => text.search(words) !== -1)).toBe(true);
  });

  test('names no command of a shell without saying that it is for a person', () => {
    expect(HINTS.length).toBeGreaterThan(100);
    const told = HINTS.map(inTools).filter((hint) => !hint.startsWith('For a person, in a shell: '));
    expect(told.length).toBeGreaterThan(20);
    expect(told.filter((hint) => /`(?:plan|frctl) [a-z]|(?:^|\s)--[a-z]/.test(hint))).toEqual([]);
  });

  test('is told in tools where they can do it', () => {
    expect(inTools('`plan next` finds another goal.')).toBe('goal_take without goal finds another.');
    expect(inTools('`plan doctor` says what is wrong.')).toBe(
      'For a person, in a shell: `plan doctor` says what is wrong.',
    );
  });
});

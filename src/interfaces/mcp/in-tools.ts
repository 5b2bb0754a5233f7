/** What texts of commands say to do next, and what that is with the tools. */
export const WAYS: readonly (readonly [RegExp, string])[] = [
  [
    /`plan init "<goal>"` makes one(?: there)?(?:; --dir names another place)?/g,
    'plan_start makes a plan here',
  ],
  [/`plan next` finds another goal/g, 'goal_take without goal finds another'],
  [/`plan reopen (\S+)`/g, 'plan_edit with op reopen and goal $1'],
  [/`plan depend (\S+) --not-on (\S+)`/g, 'plan_edit with op depend, goal $1 and off [$2]'],
  [/`plan tree`/g, 'plan_show'],
  [/--plan picks another plan/g, '`plan` names another plan'],
  [/`plan release --force` takes a claim from its holder/g, 'a person can take a claim from its holder'],
  [/; --by says who you are/g, ''],
];

/** What only a shell can do: a command, or an option of one. */
const IN_SHELL = /`(?:plan|frctl|npm|git|chmod|createdb|ssh-keygen) [^`]*`|(?:^|[\s`])--[a-z]/;

/** A hint of a command as whoever has tools and no shell can follow it; what no tool can do is for a person. */
export function inTools(hint: string): string {
  const text = WAYS.reduce((told, [words, way]) => told.replaceAll(words, way), hint);
  return IN_SHELL.test(text) ? `For a person, in a shell: ${text}` : text;
}

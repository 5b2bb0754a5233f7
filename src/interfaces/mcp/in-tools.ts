import type { Hint, HintPart, StepCommand } from '../../kernel/hint.js';

/** What is done with the tools instead of each command that hints propose. */
const IN_TOOLS: Readonly<Record<StepCommand, (args: readonly string[]) => string>> = {
  init: () => 'plan_start',
  next: () => 'goal_take without goal',
  tree: () => 'plan_show',
  show: () => 'plan_show',
  status: () => 'plan_status',
  claim: () => 'goal_take',
  reopen: ([goal = '']) => `plan_edit with op reopen and goal ${goal}`,
  depend: ([goal = '', _not, on = '']) => `plan_edit with op depend, goal ${goal} and off [${on}]`,
  list: () => 'plan_status without plan',
};

/**
 * A hint for whoever has tools and no shell. One that has words for the command line alone is told as such: what it
 * says is for a person.
 */
export function inTools(hint: Hint): string {
  if (typeof hint === 'string') return `For a person, on the command line: ${hint}`;
  return hint.map(partInTools).join('').trim();
}

function partInTools(part: HintPart): string {
  if (typeof part === 'string') return part;
  return 'commandLine' in part ? (part.tools ?? '') : IN_TOOLS[part.command](part.args);
}

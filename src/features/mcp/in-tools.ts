import { hintInCommands, partsOf } from '../../kernel/hint.js';
import type { Hint, HintPart, Step, StepCommand } from '../../kernel/hint.js';

/** What is done with the tools instead of the commands that hints propose. */
const IN_TOOLS: Readonly<Record<Exclude<StepCommand, 'reopen' | 'depend'>, string>> = {
  init: 'plan_start',
  next: 'goal_take without goal',
  tree: 'plan_show',
  show: 'plan_show',
  status: 'plan_status',
  claim: 'goal_take',
  list: 'plan_status without plan',
};

/**
 * A hint for whoever has tools and no shell: without what is for the command line, unless that is all it says. Then it is
 * told as such, for a person.
 */
export function inTools(hint: Hint): string {
  const words = partsOf(hint).map(partInTools).join('').trim();
  return words === '' ? `For a person, on the command line: ${hintInCommands(hint)}` : words;
}

function partInTools(part: HintPart): string {
  if (typeof part === 'string') return part;
  return 'commandLine' in part ? (part.tools ?? '') : stepInTools(part);
}

function stepInTools(step: Step): string {
  switch (step.command) {
    case 'depend':
      return `plan_edit with op depend, goal ${step.goal} and off [${step.notOn}]`;
    case 'reopen':
      return `plan_edit with op reopen${step.goal === undefined ? '' : ` and goal ${step.goal}`}`;
    default:
      return IN_TOOLS[step.command];
  }
}

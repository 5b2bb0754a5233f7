import type { Warning } from '../../plan/schema.js';
import type { Emit } from './planning-progress.js';
import { shownNames } from './project-prompts.js';
import type { ProjectPrompts } from './project-prompts.js';
import type { ResolvedSettings } from '../settings/settings.js';

/** Tells the user what the repository has decided. */
export function tellEffects(effects: readonly Warning[], emit: Emit): void {
  for (const warning of effects) emit({ type: 'notice', message: warning.message, warning });
}

/** That methods of the repository are in effect; nothing when there are none. */
export function methodsInEffect(names: readonly string[]): readonly Warning[] {
  if (names.length === 0) return [];
  return [warning('project_methods', `the methods of .plans/methods are in effect: ${shownNames(names)}`)];
}

/** That prompts of the repository are in effect. */
export function promptsInEffect(prompts: ProjectPrompts | null): readonly Warning[] {
  if (prompts === null) return [];
  const names = shownNames(prompts.files.map(({ name }) => name));
  return [warning('project_prompts', `the prompts of .plans/prompts are in effect: ${names}`)];
}

/** That the tools of a file are told to the model. */
export function toolsInEffect(file: string, count: number): Warning {
  return warning('project_tools', `the tools of ${file} are in effect: ${count}`);
}

/** What the repository decides in place of the user's own config. */
export function settingsInEffect({ values, overridden, refused }: ResolvedSettings): readonly Warning[] {
  return [
    ...overridden.map((name) =>
      warning(
        `project_${name}`,
        `${name} is ${JSON.stringify(values[name])}, as this repository says, and not what your own config says`,
      ),
    ),
    ...refused.map((name) =>
      warning(`own_${name}`, `${name} stays ${JSON.stringify(values[name])}, as your own config says`),
    ),
  ];
}

function warning(code: string, message: string): Warning {
  return { code, goal_id: null, message };
}

import { readFile } from 'node:fs/promises';

import { PlanError } from '../kernel/errors.js';

/** What a prompt about a goal may hold beside the goal. */
const ABOUT_A_GOAL = [
  'project',
  'root',
  'ancestors',
  'siblings',
  'decisions',
  'finished',
  'section',
  'out_of_scope',
  'failure',
  'acceptance',
] as const;
const ABOUT_AN_EXPANSION = [...ABOUT_A_GOAL, 'elsewhere', 'parts', 'limits'] as const;

/** The prompt files with the slots of each; a file that overrides one has the same name. */
const PROMPT_FILES = {
  'expand.system.md': { required: ['max_children'], optional: ['examples', 'tags'] },
  'expand.examples.md': { required: [], optional: [] },
  'expand.tags.md': { required: [], optional: [] },
  'expand.user.md': { required: ['goal'], optional: ABOUT_AN_EXPANSION },
  'expand_plain.system.md': { required: ['max_children'], optional: ['examples', 'tags'] },
  'expand_plain.tags.md': { required: [], optional: [] },
  'expand_plain.user.md': { required: ['goal'], optional: ABOUT_AN_EXPANSION },
  'expand.shorter.md': { required: [], optional: ['max_children'] },
  'digest.system.md': { required: ['max_words'], optional: [] },
  'digest.user.md': {
    required: ['goal'],
    optional: ['result', 'decisions', 'artifacts'],
  },
  'digest.shorter.md': { required: [], optional: ['max_words'] },
  'dependencies.system.md': { required: [], optional: [] },
  'dependencies.user.md': { required: ['goal', 'goals', 'pairs'], optional: ['project', 'decisions'] },
  'dependencies.shorter.md': { required: [], optional: [] },
  'link.system.md': { required: [], optional: [] },
  'link.user.md': { required: ['goal', 'leaves'], optional: ['project', 'decisions'] },
  'link.shorter.md': { required: [], optional: [] },
  'triage.system.md': { required: [], optional: [] },
  'triage.user.md': { required: ['goal', 'goals'], optional: ['project', 'document'] },
  'triage.shorter.md': { required: [], optional: [] },
  'check.system.md': { required: [], optional: [] },
  'check.user.md': { required: ['goal', 'findings'], optional: ABOUT_A_GOAL },
  'check.shorter.md': { required: [], optional: [] },
  'action_plan.system.md': { required: [], optional: [] },
  'action_plan.user.md': { required: ['goal', 'tools'], optional: ABOUT_A_GOAL },
  'action_plan.shorter.md': { required: [], optional: [] },
} as const satisfies Record<string, { required: readonly string[]; optional: readonly string[] }>;

type PromptFile = keyof typeof PROMPT_FILES;

/** A prompt's text with `{{slot}}` where a value goes; its slots have been checked. */
export interface PromptTemplate {
  readonly file: string;
  readonly text: string;
}

export type Prompts = Readonly<Record<PromptFile, PromptTemplate>>;

const SLOT = /\{\{([^{}]*)\}\}/g;

/**
 * The built-in prompts, each replaced by the text given for its file name. Throws INVALID_PROMPT for a name that
 * is no prompt's, an unknown or repeated slot, a required slot that is missing, or a `<goal>` tag in a user prompt.
 */
export async function loadPrompts(overrides: Readonly<Record<string, string>> = {}): Promise<Prompts> {
  const unknown = Object.keys(overrides).find((file) => !Object.hasOwn(PROMPT_FILES, file));
  if (unknown !== undefined)
    throw new PlanError('INVALID_PROMPT', `${unknown} is not the name of a prompt`, {
      hint: { commandLine: `prompts are named ${Object.keys(PROMPT_FILES).join(', ')}` },
      details: { file: unknown },
    });
  const load = (file: PromptFile): Promise<PromptTemplate> => loadTemplate(file, overrides);
  return {
    'expand.system.md': await load('expand.system.md'),
    'expand.examples.md': await load('expand.examples.md'),
    'expand.tags.md': await load('expand.tags.md'),
    'expand.user.md': await load('expand.user.md'),
    'expand_plain.system.md': await load('expand_plain.system.md'),
    'expand_plain.tags.md': await load('expand_plain.tags.md'),
    'expand_plain.user.md': await load('expand_plain.user.md'),
    'expand.shorter.md': await load('expand.shorter.md'),
    'digest.system.md': await load('digest.system.md'),
    'digest.user.md': await load('digest.user.md'),
    'digest.shorter.md': await load('digest.shorter.md'),
    'dependencies.system.md': await load('dependencies.system.md'),
    'dependencies.user.md': await load('dependencies.user.md'),
    'dependencies.shorter.md': await load('dependencies.shorter.md'),
    'link.system.md': await load('link.system.md'),
    'link.user.md': await load('link.user.md'),
    'link.shorter.md': await load('link.shorter.md'),
    'triage.system.md': await load('triage.system.md'),
    'triage.user.md': await load('triage.user.md'),
    'triage.shorter.md': await load('triage.shorter.md'),
    'check.system.md': await load('check.system.md'),
    'check.user.md': await load('check.user.md'),
    'check.shorter.md': await load('check.shorter.md'),
    'action_plan.system.md': await load('action_plan.system.md'),
    'action_plan.user.md': await load('action_plan.user.md'),
    'action_plan.shorter.md': await load('action_plan.shorter.md'),
  };
}

/**
 * The template with every slot filled. A line of slots that are all empty is left out; a value is never searched
 * for slots itself. Throws INVALID_PROMPT for a slot that has no value.
 */
export function renderPrompt(
  { file, text }: PromptTemplate,
  slots: Readonly<Record<string, string>>,
): string {
  const fill = (line: string, number: number): string =>
    line.replaceAll(SLOT, (_whole, inner: string) => {
      const name = inner.trim();
      const value = Object.hasOwn(slots, name) ? slots[name] : undefined;
      if (value === undefined) throw invalid(file, number, name, 'has no value');
      return value;
    });
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line, index) => ({ line, filled: fill(line, index + 1) }))
    .filter(({ line, filled }) => filled.trim() !== '' || line.trim() === '')
    .map(({ filled }) => filled)
    .join('\n');
}

/** The names of the slots that a prompt template has. */
export function promptSlots({ text }: PromptTemplate): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(SLOT), ([, inner = '']) => inner.trim()));
}

async function loadTemplate(
  file: PromptFile,
  overrides: Readonly<Record<string, string>>,
): Promise<PromptTemplate> {
  const text = overrides[file] ?? (await readFile(new URL(`./prompts/${file}`, import.meta.url), 'utf8'));
  checkTemplate(file, text);
  return { file, text };
}

function checkTemplate(file: PromptFile, text: string): void {
  const { required, optional } = PROMPT_FILES[file];
  const known: readonly string[] = [...required, ...optional];
  const seen = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    for (const [, inner = ''] of line.matchAll(SLOT)) {
      const name = inner.trim();
      if (!known.includes(name)) throw invalid(file, index + 1, name, 'is not known here', known);
      if (seen.has(name) && name === 'goal') throw invalid(file, index + 1, name, 'stands here again', known);
      seen.add(name);
    }
    if (line.replaceAll(SLOT, '').includes('{{')) throw invalid(file, index + 1, '', 'is not closed', known);
    if (file.endsWith('.user.md') && /<\/?goal\b/.test(line))
      throw invalid(file, index + 1, 'goal', 'brings its own tags: leave the <goal> tag out', known);
  }
  const missing = required.find((name) => !seen.has(name));
  if (missing !== undefined) throw invalid(file, undefined, missing, 'is missing', known);
}

function invalid(
  file: string,
  line: number | undefined,
  slot: string,
  problem: string,
  known: readonly string[] = [],
): PlanError {
  const location = line === undefined ? file : `${file}:${line}`;
  return new PlanError('INVALID_PROMPT', `${location}: the slot {{${slot}}} ${problem}`, {
    ...(known.length === 0
      ? {}
      : {
          hint: { commandLine: `the slots of ${file} are ${known.map((name) => `{{${name}}}`).join(', ')}` },
        }),
    details: { file, slot, ...(line === undefined ? {} : { line }) },
  });
}

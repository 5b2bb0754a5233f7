import { join } from 'node:path';

import { RE2JS } from 're2js';
import * as z from 'zod';

import { readStoredTextIfAny } from '../../../host/files/text-files.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';
import { readYaml } from '../../../kernel/yaml.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { KitPlace } from '../../actions/parts.js';
import { asJson } from '../kit.js';

const MOST_BYTES = 256 * 1024;
/** Matches of a rule that are counted. */
const MOST_COUNTED = 1000;

/** A path within the project. */
// oxlint-disable-next-line no-control-regex
export const PROJECT_PATH = /^(?!\/)(?!(?:[^]*\/)?\.\.(?:\/|$))[^\u0000-\u001f\u007f]{1,500}$/;

const pattern = z.string().min(1).max(2000);
const rule = z.union([pattern, z.strictObject({ pattern, flags: z.literal('i').optional() })]);
const fileSchema = z.strictObject({
  rules: z.record(z.string().min(1).max(200), rule).default({}),
  agents: z
    .record(
      z.string().min(1).max(200),
      z
        .strictObject({ command: pattern.optional(), title: pattern.optional(), screen: pattern.optional() })
        .refine((agent) => Object.keys(agent).length > 0, 'says nothing that the agent is known by'),
    )
    .default({}),
  prompts: z.array(pattern).max(50).default([]),
  workflows: z
    .record(z.string().min(1).max(200), z.string().regex(PROJECT_PATH, 'must be a path within the project'))
    .default({}),
});

type RulesFile = z.output<typeof fileSchema>;

/** What the rules of panes say. */
export interface PaneRules {
  /** The name of the file; null where there is none. */
  readonly file: string | null;
  readonly has: (id: string) => boolean;
  readonly agent: (name: string) => RulesFile['agents'][string] | undefined;
  /** Returns the line in which a rule matches first; null where it does not. */
  readonly matchIn: (text: string, id: string) => string | null;
  readonly countsIn: (text: string) => Readonly<Record<string, number>>;
  /** Whether a line is a prompt that waits for input. */
  readonly isPrompt: (line: string) => boolean;
}

/**
 * Reads the file of rules that options name.
 * @returns what it says, to be kept with the options
 * @throws PlanError INVALID_INPUT, FILE_NOT_FOUND
 */
export async function readRules({ rules: file }: JsonObject, { root }: KitPlace): Promise<JsonObject> {
  if (typeof file !== 'string') return {};
  const text = await readStoredTextIfAny(join(root, file), MOST_BYTES);
  if (text === null)
    throw new PlanError('FILE_NOT_FOUND', `there is no ${file}, which the tools file names`, {
      hint: ['docs/kits.md shows such a file.'],
    });
  const read = readYaml(text);
  if ('problem' in read) throw invalid(`${file}:${read.line}: ${read.problem}`);
  const result = fileSchema.safeParse(read.value ?? {}, IN_OUR_WORDS);
  if (!result.success) {
    const { path = [], message = 'not allowed' } = result.error.issues[0] ?? {};
    throw invalid(`${file}: ${path.map(String).join('.')}: ${message}`);
  }
  for (const source of patternsOf(result.data))
    try {
      compiled(source);
    } catch (thrown) {
      throw invalid(`${file}: ${truncate(source, 100)} is not a pattern of RE2: ${messageOf(thrown)}`);
    }
  return { contents: asJson(result.data) };
}

function invalid(message: string): PlanError {
  return new PlanError('INVALID_INPUT', message, { hint: ['docs/kits.md shows such a file.'] });
}

function* patternsOf({ rules, agents, prompts }: RulesFile): Iterable<string> {
  for (const one of Object.values(rules)) yield sourceOf(one);
  for (const agent of Object.values(agents)) yield* Object.values(agent).filter((one) => one !== undefined);
  yield* prompts;
}

function sourceOf(one: z.output<typeof rule>): string {
  return typeof one === 'string' ? one : `${one.flags === 'i' ? '(?i)' : ''}${one.pattern}`;
}

/** Returns a pattern that is matched in time linear in the text, `^` and `$` at each line. */
function compiled(source: string): RE2JS {
  return RE2JS.compile(source, RE2JS.MULTILINE);
}

/** Tells whether a pattern matches a text. */
export function matches(source: string, text: string): boolean {
  return compiled(source).test(text);
}

/** `$`, `#`, `%`, `>`, `❯` or `>>>` at the end of a line, but for a percentage; the frame that some agents draw is not looked at. */
const PROMPT = /(?:^|[^\d])[$#%>❯]$/u;

/** Returns the paths of the plans of workflows that options hold. */
export function workflowsIn({ contents }: JsonObject): ReadonlyMap<string, string> {
  return new Map(Object.entries(fileSchema.parse(contents ?? {}).workflows));
}

/** Returns the rules that options hold. */
export function rulesIn({ rules: file, contents }: JsonObject): PaneRules {
  const said = fileSchema.parse(contents ?? {});
  const rules = new Map(Object.entries(said.rules).map(([id, one]) => [id, compiled(sourceOf(one))]));
  const prompts = said.prompts.map(compiled);
  return {
    file: typeof file === 'string' ? file : null,
    has: (id) => rules.has(id),
    agent: (name) => (Object.hasOwn(said.agents, name) ? said.agents[name] : undefined),
    matchIn(text, id) {
      const matcher = rules.get(id)?.matcher(text);
      if (matcher === undefined || !matcher.find()) return null;
      const at = matcher.start();
      const end = text.indexOf('\n', at);
      return text.substring(text.lastIndexOf('\n', at - 1) + 1, end < 0 ? text.length : end).trim();
    },
    countsIn: (text) => Object.fromEntries(Array.from(rules, ([id, one]) => [id, countOf(one, text)])),
    isPrompt(line) {
      const bare = line.replaceAll(/[│┃|]/g, ' ').trim();
      return prompts.length === 0 ? PROMPT.test(bare) : prompts.some((one) => one.test(bare));
    },
  };
}

function countOf(expression: RE2JS, text: string): number {
  const matcher = expression.matcher(text);
  let count = 0;
  while (count < MOST_COUNTED && matcher.find()) count += 1;
  return count;
}

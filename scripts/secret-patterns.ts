import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { format, resolveConfig } from 'prettier';
import { RE2JS } from 're2js';
import { parse } from 'yaml';
import * as z from 'zod';

// Makes the table of what secrets look like from kept rule data: node scripts/run.js scripts/secret-patterns.ts

const FOLDER = resolve(import.meta.dirname, 'secret-rules');
export const TABLE = resolve(import.meta.dirname, '../src/features/actions/lint/secrets/secret-patterns.ts');

/** RE2 counts no further, and a long count makes a large automaton; past this only the least number holds. */
const MOST_COUNTED = 130;

const namingSchema = z.strictObject({
  rule: z.string(),
  /** A part of the one pattern that is meant, where a rule has several. */
  part: z.string().optional(),
  kind: z.string(),
  name: z.string(),
  keywords: z.array(z.string()).min(1),
  /** Whether the first group of the pattern is the secret, and not all of it. */
  group: z.boolean().default(false),
});
const ownSchema = z.strictObject({
  kind: z.string(),
  name: z.string(),
  keywords: z.array(z.string()).min(1),
  pattern: z.string(),
  check: z.enum(['basic', 'assignment', 'url']).optional(),
});
const rulesSchema = z.strictObject({
  secretlint: z.array(namingSchema),
  without: z.array(z.string()),
  own: z.array(ownSchema),
});
const recordedSchema = z.object({
  source: z.string(),
  patterns: z.array(z.object({ rule: z.string(), pattern: z.string(), flags: z.string() })),
});
type Recorded = z.infer<typeof recordedSchema>['patterns'][number];
type Own = z.infer<typeof ownSchema>;

/** The text of the table. @throws Error for data that cannot be used */
export async function secretPatternsTable(): Promise<string> {
  const rules = rulesSchema.parse(parse(readFileSync(resolve(FOLDER, 'rules.yaml'), 'utf8')));
  const recorded = recordedSchema.parse(JSON.parse(readFileSync(resolve(FOLDER, 'secretlint.json'), 'utf8')));
  const taken = recorded.patterns
    .filter(({ rule }) => !rules.without.includes(rule))
    .map((one): Own => {
      const naming = rules.secretlint.find(
        ({ rule, part = '' }) => rule === one.rule && one.pattern.includes(part),
      );
      if (naming === undefined)
        throw new Error(`rules.yaml does not name the rule ${one.rule}: ${one.pattern}`);
      const { kind, name, keywords, group } = naming;
      return { kind, name, keywords, pattern: toRe2(one, group) };
    });
  const all = [...taken, ...rules.own];
  for (const { kind, pattern } of all) checkPattern(kind, pattern);
  // What says more comes first: of matches that share text it counts.
  const entries = all.map(({ kind, name, keywords, pattern, check }) => {
    const hint = `/${keywords.map((word) => word.replaceAll('/', String.raw`\/`)).join('|')}/i`;
    return `  { kind: ${JSON.stringify(kind)}, name: ${JSON.stringify(name)}, hint: ${hint}, pattern: String.raw\`${pattern.replaceAll('`', '\\x60')}\`, check: ${JSON.stringify(check ?? null)} },`;
  });
  const hint = [...new Set(all.flatMap(({ keywords }) => keywords))]
    .join('|')
    .replaceAll('/', String.raw`\/`);
  const text = `// Made by scripts/secret-patterns.ts from scripts/secret-rules/; edit those.
/*! Holds patterns of ${recorded.source}, under this licence:

${readFileSync(resolve(FOLDER, 'LICENSE.secretlint'), 'utf8').trim()}
*/

/** What a kind of secret looks like. */
export interface SecretPattern {
  /** For people, without an article. */
  readonly kind: string;
  /** A name for the value in the context. */
  readonly name: string;
  /** Something that is in every text that matches. */
  readonly hint: RegExp;
  /** In the syntax of RE2. The group \`secret\`, else the first one, else all of it is the secret. */
  readonly pattern: string;
  /** What else must hold of a match. */
  readonly check: 'basic' | 'assignment' | 'url' | null;
}

/** Something that is in every text that one of them matches. */
export const SECRET_HINT = /${hint}/i;

/** What secrets look like, by the word of who issues them. */
// prettier-ignore
export const SECRET_PATTERNS: readonly SecretPattern[] = [
${entries.join('\n')}
];
`;
  return format(text, { ...(await resolveConfig(TABLE)), filepath: TABLE });
}

/** Writes the table. */
export async function main(): Promise<void> {
  writeFileSync(TABLE, await secretPatternsTable());
}

/** A pattern of JavaScript in the syntax of RE2, which does not look around: what may stand beside it is matched. */
function toRe2({ pattern, flags }: Recorded, group: boolean): string {
  const before = /^\(\?<!(\\p\{L\})\)/.exec(pattern);
  const behind = /\(\?!(\[[^\]]+\]|\\w)\)$/.exec(pattern);
  const body = pattern
    .slice(before?.[0].length ?? 0, behind === null ? undefined : behind.index)
    .replaceAll('(?<', '(?P<')
    .replaceAll(/\{(\d+),(\d+)\}/g, (all, least: string, most: string) =>
      Number(most) > MOST_COUNTED ? `{${least},}` : all,
    );
  const start = before === null ? '' : `(?:^|[^${before[1]}])`;
  const end =
    behind === null
      ? ''
      : `(?:${behind[1] === String.raw`\w` ? String.raw`\W` : `[^${behind[1]?.slice(1) ?? ''}`}|$)`;
  return `${flags.includes('i') ? '(?i)' : ''}${start}${group ? body : `(${body})`}${end}`;
}

function checkPattern(kind: string, pattern: string): void {
  if (pattern.includes('${')) throw new Error(`${kind}: \${ cannot stand in the table`);
  try {
    RE2JS.compile(pattern);
  } catch (thrown) {
    throw new Error(`${kind}: ${pattern}`, { cause: thrown });
  }
}

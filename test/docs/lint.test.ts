import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, test } from 'vitest';

import { lint } from '../../src/features/actions/lint/lint.js';
import type { Rule } from '../../src/features/actions/lint/rule.js';
import { RULE_IDS } from '../../src/features/actions/lint/rule-ids.js';
import { RULES } from '../../src/features/actions/lint/rules.js';
import { policySchema } from '../../src/features/actions/policy/policy.js';
import { parsePolicy } from '../../src/features/actions/policy/read-policy.js';

const PATH = resolve(import.meta.dirname, '../../docs/lint.md');
const PAGE = readFileSync(PATH, 'utf8');

// `npx vitest run test/docs/lint.test.ts -u` writes the chapter anew.
test('docs/lint.md shows every rule, with a plan that breaks it, as the program explains it', async () => {
  const [before = '', after = ''] = PAGE.split(/<!-- rules -->[\s\S]*<!-- \/rules -->/);
  const chapter = RULES.map(sectionOf).join('\n');
  const page = `${before}<!-- rules -->\n<!-- prettier-ignore-start -->\n\n${chapter}\n<!-- prettier-ignore-end -->\n<!-- /rules -->${after}`;
  await expect(page).toMatchFileSnapshot(PATH);
});

test('there is a rule for every id, in their order', () => {
  expect(RULES.map(({ id }) => id)).toEqual(RULE_IDS);
});

test.each(RULES.map((rule) => [rule.id, rule] as const))(
  'the bad plan of %s breaks it',
  async (id, { example }) => {
    const { findings } = await lint(example.bad, example.policy);
    expect(findings.map(({ rule }) => rule)).toContain(id);
  },
);

test.each(RULES.map((rule) => [rule.id, rule] as const))(
  'the good plan of %s is clean',
  async (_id, { example }) => {
    const { findings, clean } = await lint(example.good, example.goodPolicy ?? example.policy);
    expect(findings).toEqual([]);
    expect(clean).toBe(true);
  },
);

test('the policy that the page shows is one, and its list names every key', () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(PAGE) ?? [];
  expect(parsePolicy(yaml, 'docs').policy).toHaveProperty('extends');
  const keys = [...PAGE.matchAll(/^- `([a-z_]+)`/gm)].map(([, key]) => key);
  for (const key of Object.keys(policySchema.shape).filter((name) => name !== '$schema'))
    expect(keys).toContain(key);
});

function sectionOf({ id, severity, summary, explanation, example }: Rule): string {
  const { policy, bad } = example;
  return `### ${id}

${severity.charAt(0).toUpperCase()}${severity.slice(1)}: ${summary}.

${explanation}
${policy === undefined ? '' : `\nWith this policy:\n\n\`\`\`yaml\n${policy}\`\`\`\n`}
Bad:

\`\`\`json
${bad}
\`\`\`
`;
}

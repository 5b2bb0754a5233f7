import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { expandByRules, whyNoRule } from '../../src/features/rules/expand-by-rules.js';
import { redundantIn } from '../support/redundant-in.js';
import { builtInMethods } from '../../src/features/rules/methods.js';

const methods = builtInMethods();
const page = readFileSync(new URL('../fixtures/goals.md', import.meta.url), 'utf8');

interface Example {
  readonly goal: string;
  readonly mark: string;
  readonly tree: string;
}

const examples: readonly Example[] = Array.from(
  page.matchAll(/^## (.+) · (sensible|generic|wrong)\n\n```\n([\s\S]*?)```$/gm),
  ([, goal = '', mark = '', tree = '']) => ({ goal, mark, tree }),
);

/** The whole tree below a goal, a line each; what each comes after in angle brackets. */
function drawn(goal: string, indent = ''): string {
  return expandByRules(goal, methods)
    .sub_goals.map(({ description, atomic, depends_on: on }, index) => {
      const after = on.length === 0 ? '' : ` <${on.join(' ')}>`;
      return `${indent}${index + 1}. ${description}${after}\n${atomic ? '' : drawn(description, `${indent}   `)}`;
    })
    .join('');
}

function textOf(goal: string): string {
  const tree = drawn(goal);
  if (tree !== '') return tree;
  const why = whyNoRule(goal, methods) ?? 'one piece of work';
  return why.startsWith('the rules read English') ? 'only a model can divide it\n' : 'one piece of work\n';
}

test('a hundred everyday goals were read by a person: none is wrong, and few are generic', () => {
  expect(examples.length).toBeGreaterThanOrEqual(100);
  expect(new Set(examples.map(({ goal }) => goal)).size).toBe(examples.length);
  expect(page.match(/^## /gm)).toHaveLength(examples.length);
  expect(examples.filter(({ mark }) => mark === 'wrong')).toEqual([]);
  expect(examples.filter(({ mark }) => mark === 'generic').length).toBeLessThanOrEqual(15);
});

describe('the tree that was read is the tree that comes out', () => {
  test.each(examples)('$goal', ({ goal, tree }) => {
    expect(textOf(goal)).toBe(tree);
  });

  test.each(['Build a REST API with authentication', ...examples.map(({ goal }) => goal)])(
    'and nothing in it waits for what comes first anyway: %s',
    (goal) => {
      const below = (description: string): readonly string[] => {
        const { sub_goals: subGoals } = expandByRules(description, methods);
        const divided = subGoals.filter(({ atomic }) => !atomic);
        return [...redundantIn(subGoals), ...divided.flatMap((each) => below(each.description))];
      };
      expect(below(goal)).toEqual([]);
    },
  );
});

describe('a goal that no rule knows says so, with the ways on', () => {
  test.each(['Restore an old motorcycle', 'Fix the typo in the README'])('%s', (goal) => {
    expect(whyNoRule(goal, methods)).toMatch(
      /^no rule knows .*replan root --model NAME.*--expander agent.*split root --into.*init --from/,
    );
  });

  test.each([
    'Baue eine REST-API mit Anmeldung und Suche',
    'Créer une application mobile pour les coureurs',
    'Crear una tienda en línea con pagos',
    'Scrivere una guida per gli utenti',
    'Bouw een webwinkel met betalingen',
    '构建一个带有身份验证的 REST API',
    'Создать мобильное приложение',
    'ログイン機能を追加する',
  ])('%s: only a model can divide it', (goal) => {
    expect(whyNoRule(goal, methods)).toMatch(
      /^the rules read English, and cannot divide this goal\. A model can/,
    );
  });

  test.each([
    'Build a REST API',
    'Draft the report and send it to Ann',
    'Open https://example.org; click "Docs"',
  ])('%s is known', (goal) => {
    expect(goal.startsWith('Open') || whyNoRule(goal, methods) === null).toBe(true);
  });
});

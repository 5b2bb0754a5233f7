import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ActionPlan, ActionStep } from '../../../src/features/actions/model/action-plan.js';
import { translateReferences } from '../../../src/features/actions/convert/translate.js';
import { writeActionPlan } from '../../../src/features/actions/convert/write-action-plan.js';
import { DIALECT_NAMES } from '../../../src/features/actions/model/dialect.js';
import type { DialectName } from '../../../src/features/actions/model/dialect.js';
import { dialectOf } from '../../../src/features/actions/model/dialects.js';
import { readJsonDocument } from '../../../src/kernel/json/json-document.js';
import { textOfJson } from '../../../src/kernel/json/json-text.js';
import { valueOfTree } from '../../../src/kernel/json/json-tree.js';
import { isJsonList, isJsonObject } from '../../../src/kernel/json/json-value.js';
import type { JsonValue } from '../../../src/kernel/json/json-value.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { resolveDefaults } from '../../../src/features/actions/model/resolve-defaults.js';
import { CHECK_WORDS, PLAN_WORDS, STEP_WORDS } from '../../../src/features/actions/model/words.js';
import { anyActionPlan } from '../../support/arbitrary-action-plans.js';
import { scale } from '../../faults/support/scale.js';

const RUNS = scale(150, 50);

const WORDS: ReadonlySet<string> = new Set(
  [...PLAN_WORDS, ...STEP_WORDS, ...CHECK_WORDS].filter((one) => one !== 'id'),
);

/** Plans that say one thing or two besides their tools, so that many a dialect can say all of it. */
const plainPlan = fc
  .tuple(anyActionPlan, fc.nat(), fc.nat(), fc.boolean())
  .map(([{ steps, ...rest }, first, second, withPlan]): ActionPlan => {
    const kept = Object.entries(rest).filter((_, index, all) => withPlan && index === second % all.length);
    return {
      ...Object.fromEntries(kept),
      steps: steps.slice(0, 2).map(({ id, tool, args, ...more }): ActionStep => {
        const members = Object.entries(more).filter((_, index, all) => index === first % all.length);
        return { id, tool, args, ...Object.fromEntries(members) };
      }),
    };
  });

describe.each(DIALECT_NAMES.filter((name) => name !== 'frctl'))('in %s', (dialect) => {
  test('a plan of which nothing is lost does the same without all that travels along', () => {
    let tried = 0;
    fc.assert(
      fc.property(plainPlan, (plan) => {
        const { text, losses, renamed } = writeActionPlan(plan, dialect);
        fc.pre(losses.length === 0 && renamed.size === 0);
        tried += 1;
        const bare = textOfJson(withoutSlots(valueOfTree(readJsonDocument(text).root)));
        const said = readActionPlan(bare, { format: dialect }).plan;
        expect(meaningOf(said, dialect, dialect)).toEqual(meaningOf(plan, 'frctl', dialect));
      }),
      { numRuns: RUNS },
    );
    expect(tried).toBe(RUNS);
  });
});

function withoutSlots(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(withoutSlots);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'x-frctl');
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutSlots(one)]));
}

/** What a plan does, with everything said that is a default. */
function meaningOf(plan: ActionPlan, written: DialectName, shownIn: DialectName): unknown {
  const { plan: own } = translateReferences(plan, dialectOf(written), dialectOf('frctl'), new Map());
  const resolved = resolveDefaults(own);
  const { id: _id, context: _context, defaults: _defaults, steps, workspace = '', ...rest } = resolved;
  const places = new Map(steps.map(({ id }, index) => [id, index]));
  return plain({
    ...rest,
    workspace,
    steps: steps.map((step, index) => {
      const { retry, on_error: onError, depends_on: needed, foreach, preconditions = [], ...more } = step;
      const approvals = preconditions.filter(({ type }) => type === 'wa:approval_valid');
      const [strategy, inner] = endingOf(onError);
      return {
        ...more,
        // wa asks for an approval as a precondition.
        requires_approval: step.requires_approval || approvals.length > 0,
        preconditions: preconditions.filter((check) => !approvals.includes(check)),
        strategy,
        inner,
        foreach: foreach && { ...foreach, from: foreach.from.replace(/^\$vars\./, '') },
        retry: retry.max_attempts <= 1 ? null : retry,
        // Steps run in their order; SoulBrowser says no more than that.
        needed: needed.filter((id) => shownIn !== 'soulbrowser' || (places.get(id) ?? index) >= index),
      };
    }),
  });
}

function endingOf(onError: NonNullable<ActionStep['on_error']>): readonly unknown[] {
  if (onError.strategy === 'fallback')
    return ['fallback', meaningOf({ steps: onError.steps }, 'frctl', 'frctl')];
  if (onError.strategy === 'skip') return [`skip ${String(onError.warn ?? true)}`];
  return [onError.strategy === 'approval' ? 'approval' : 'stop'];
}

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one: unknown) =>
      WORDS.has(key) || (Array.isArray(one) && one.length === 0) ? undefined : one,
    ),
  );
}

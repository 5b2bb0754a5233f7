import fc from 'fast-check';

import type { ActionPlan, ActionStep, Check, OnError } from '../../src/features/actions/model/action-plan.js';
import { numberFromText } from '../../src/kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../src/kernel/json/json-value.js';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,6}$/);
const oddText = fc.oneof(
  text,
  fc.constantFrom(
    '$steps.a.items.0',
    'x ${$steps.a.b} y',
    '{{a.result.x}}',
    '${a.result}',
    '${context.token}',
    '{{b}}',
    '${item.x}',
    '{item.y}',
    '$vars.v',
    'costs $5.00 or ${{a.result}}',
    '$HOME ${USER:-me}',
  ),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.constantFrom('1.0', '18446744073709551615', '-9223372036854775808', '1e3', '-0').map(numberFromText),
);
const { value } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    oddText,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(text, fc.constantFrom('10', '2', 'type', 'id')), tie('value'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}));
const object: fc.Arbitrary<JsonObject> = fc.dictionary(fc.oneof(text, word), value, {
  maxKeys: 4,
  noNullPrototype: true,
});

const check: fc.Arbitrary<Check> = fc.oneof(
  fc.record(
    { type: fc.constantFrom('file.exists', 'x'), args: object, description: text, timeout_ms: fc.nat() },
    { requiredKeys: ['type', 'args'] },
  ),
  fc.constant({ type: 'wa:pane_exists', args: { pane_id: 3 } }),
  fc.constant({ type: 'soul:ElementVisible', args: { value: { Css: '#x' } } }),
);
const verification: fc.Arbitrary<Check> = fc.oneof(
  check.filter(({ type }) => type !== 'wa:pane_exists'),
  fc.constant({ type: 'wa:pattern_match', args: { rule_id: 'r' }, timeout_ms: 5 }),
);
const tool: fc.Arbitrary<Pick<ActionStep, 'tool' | 'args'>> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      tool: fc.constantFrom('file.read', 'db.query_ro', 'vault.create', 'ünïcode tool'),
      args: object,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ tool: 'wa:send_text', args: { pane_id: 1, text: 'ls ${HOME}' } }) },
  { weight: 1, arbitrary: fc.constant({ tool: 'soul:Click', args: { locator: { Css: 'a' } } }) },
);
const retry = fc.record(
  {
    max_attempts: fc.integer({ min: 0, max: 30 }),
    initial_delay_ms: fc.nat(),
    max_delay_ms: fc.nat(),
    multiplier: fc.constantFrom(1, 1.5, 2),
    jitter: fc.boolean(),
  },
  { requiredKeys: ['max_attempts'] },
);
const time = fc.constantFrom(
  '2025-11-30T10:00:00Z',
  '2025-11-30T10:00:00.123456789+01:00',
  '1999-01-01T00:00:00.5Z',
);

function onError(steps: fc.Arbitrary<readonly ActionStep[]>): fc.Arbitrary<OnError> {
  return fc.oneof(
    fc.constant({ strategy: 'stop' } as const),
    fc.record({ strategy: fc.constant('stop' as const), message: text }),
    fc.record({ strategy: fc.constant('skip' as const), warn: fc.boolean() }, { requiredKeys: ['strategy'] }),
    fc.constant({ strategy: 'retry' } as const),
    fc.record({ strategy: fc.constant('approval' as const), summary: text }),
    fc.record({ strategy: fc.constant('fallback' as const), steps }),
  );
}

/** Ids that come once in a plan, in fallbacks too; some are such as not every dialect takes. */
function withIds(steps: readonly ActionStep[], prefix: string): readonly ActionStep[] {
  return steps.map((step, index) => {
    const id = `${prefix}${index % 3 === 2 ? `${index} é` : `a${index === 0 ? '' : index}`}`;
    const fallback =
      step.on_error?.strategy === 'fallback'
        ? { on_error: { ...step.on_error, steps: withIds(step.on_error.steps, `${prefix}f${index}`) } }
        : {};
    const earlier = index > 0 && step.depends_on !== undefined ? { depends_on: [`${prefix}a`] } : {};
    const { depends_on: _made, ...rest } = step;
    return { ...rest, ...earlier, ...fallback, id };
  });
}

function stepOf(depth: number): fc.Arbitrary<ActionStep> {
  const inner =
    depth === 0
      ? fc.constant<readonly ActionStep[]>([])
      : fc.array(stepOf(depth - 1), { minLength: 1, maxLength: 2 });
  const others = fc.record(
    {
      title: text,
      detail: text,
      depends_on: fc.constant(['a']),
      foreach: fc.record(
        {
          from: fc.constantFrom('files', '$steps.a.items'),
          item_name: fc.constant('item'),
          index_name: fc.constant('i'),
          concurrency: fc.integer({ min: 1, max: 4 }),
        },
        { requiredKeys: ['from', 'item_name'] },
      ),
      capture_as: word,
      on_error: onError(inner),
      retry,
      timeout_ms: fc.nat(),
      preconditions: fc.array(check, { minLength: 1, maxLength: 2 }),
      verifications: fc.array(verification, { minLength: 1, maxLength: 2 }),
      requires_approval: fc.constant(true),
      idempotent: fc.constant(true),
      wait: fc.constantFrom('dom_ready' as const, 'idle' as const),
      tags: fc.array(
        text.filter((tag) => tag !== ''),
        { minLength: 1, maxLength: 2 },
      ),
      metadata: object.filter((one) => Object.keys(one).length > 0),
    },
    { requiredKeys: [] },
  );
  return fc.tuple(tool, others).map(([made, rest]) => ({ id: 'x', ...made, ...rest }));
}

/** Plans of every kind, some with what no other dialect can say. */
export const anyActionPlan: fc.Arbitrary<ActionPlan> = fc
  .tuple(
    fc.array(stepOf(1), { minLength: 1, maxLength: 4 }),
    fc.record(
      {
        id: word,
        title: text,
        description: text,
        goal: text,
        risk: fc.constantFrom('read-only' as const, 'writes' as const, 'commands' as const),
        workspace: text,
        created_at: time,
        assumptions: fc.array(text, { minLength: 1, maxLength: 2 }),
        rationale: fc.array(text, { minLength: 1, maxLength: 2 }),
        risks: fc.array(text, { minLength: 1, maxLength: 2 }),
        context: object.filter((one) => Object.keys(one).length > 0),
        preconditions: fc.array(check, { minLength: 1, maxLength: 2 }),
        defaults: fc
          .record({ on_error: onError(fc.constant([])), retry }, { requiredKeys: [] })
          .filter((one) => Object.keys(one).length > 0),
        metadata: object.filter((one) => Object.keys(one).length > 0),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([steps, rest]) => ({ ...rest, steps: withIds(steps, '') }));

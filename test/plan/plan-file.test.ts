import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { membersOf, stringifyPlanFile, toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import { planFromFile } from '../../src/plan/make-plan.js';
import { putGoal } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { planFilePieces } from '../../src/plan/snapshot/plan-text.js';
import { goalSchema, planFileSchema } from '../../src/plan/schema.js';
import { hostileText } from '../support/hostile-text.js';
import { examplePlan, goal, PLAN_ID, planOf, readFixture, treePlan } from '../support/plans.js';

describe('toPlanFile', () => {
  it('gives back the file that the plan was made from', () => {
    expect(toPlanFile(examplePlan())).toEqual(JSON.parse(readFixture('plans/complete-example.json')));
  });

  it('orders the fields of a goal by the schema', () => {
    const [root] = Object.values(toPlanFile(examplePlan()).goals);
    const inSchema = membersOf(goalSchema).filter((name) => Object.hasOwn(root ?? {}, name));
    expect(Object.keys(root ?? {}).slice(0, inSchema.length)).toEqual(inSchema);
    expect(membersOf(planFileSchema)).not.toContain('goals');
  });

  it('orders known fields by the schema, then unknown ones as they came, goals last', () => {
    const plan = planOf([goal('root')], { x_later: 1, a_later: 2, usage: undefined, warnings: [] });
    const shuffled = { ...plan, header: { ...plan.header, schema_version: '1.0' } };
    const file = toPlanFile(shuffled, { bytes: 7, event: 'e1' });
    expect(Object.keys(JSON.parse(stringifyPlanFile(file)))).toEqual([
      'id',
      'root_goal_id',
      'description',
      'status',
      'created_at',
      'updated_at',
      'total_tokens',
      'max_depth',
      'schema_version',
      'warnings',
      'log',
      'x_later',
      'a_later',
      'goals',
    ]);
  });

  it('orders the fields of a goal the same way', () => {
    const { id, ...fields } = goal('root', { x_later: { z: 1, a: 2 }, tags: ['t'] });
    const file = toPlanFile(planOf([{ x_first: 0, ...fields, id }]));
    expect(Object.keys(file.goals[id] ?? {})).toEqual([
      ...Object.keys(goal('root')),
      'tags',
      'x_first',
      'x_later',
    ]);
  });

  it('lists goals depth-first, however they came', () => {
    const plan = treePlan(['root', 'a', 'b', 'aa', 'ab'], 2);
    expect(Object.values(toPlanFile(plan).goals).map(({ description }) => description)).toEqual([
      'root',
      'a',
      'aa',
      'ab',
      'b',
    ]);
  });
});

describe('stringifyPlanFile', () => {
  it('parses back to the same plan, whatever its goals say', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 8 }), (descriptions) => {
        const file = toPlanFile(treePlan(descriptions, 2));
        const text = stringifyPlanFile(file);
        expect(JSON.parse(text)).toEqual(file);
        expect(stringifyPlanFile(toPlanFile(planFromFile(planFileSchema.parse(JSON.parse(text)))))).toBe(
          text,
        );
      }),
    );
  });

  it('writes control, separator and reordering characters as escapes', () => {
    const description = '\u001B\u007F\u009B\u2028\u202E\u2066\uD800';
    const text = stringifyPlanFile(toPlanFile(planOf([goal('root', { description })])));
    expect(text).toContain(String.raw`"\u001b\u007f\u009b\u2028\u202e\u2066\ud800"`);
  });

  it('writes 50,000 goals', () => {
    const plan = treePlan(
      Array.from({ length: 50_000 }, (_, index) => `Goal ${index}`),
      7,
    );
    const text = stringifyPlanFile(toPlanFile(plan));
    expect(text).toContain(`"${PLAN_ID}-g49999"`);
    expect(`${[...planFilePieces(plan)].join('')}\n}\n` === text).toBe(true);
  });
});

describe('planFilePieces', () => {
  it('are together what the plan file would be in one piece', () => {
    fc.assert(
      fc.property(
        fc.array(hostileText, { minLength: 1, maxLength: 8 }),
        fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), fc.jsonValue()),
        fc.nat(),
        fc.boolean(),
        (descriptions, unknown, which, withLog) => {
          const log = withLog ? { bytes: 7, event: 'e1' } : undefined;
          const { header, goals } = treePlan(descriptions, 2);
          const first = planOf(
            [...goals.values()].map((each) => ({ ...unknown, ...each })),
            { ...header, ...unknown },
          );
          const inPieces = (plan: Plan) => `${[...planFilePieces(plan, log)].join('')}\n}\n`;
          const inOnePiece = (plan: Plan) => stringifyPlanFile(toPlanFile(plan, log));
          expect(inPieces(first)).toBe(inOnePiece(first));
          const changed = [...first.goals.values()][which % descriptions.length] ?? goal('root');
          const next = putGoal(first, { ...changed, description: 'Changed', ...unknown });
          expect(inPieces(next)).toBe(inOnePiece(next));
          expect(inPieces(first)).toBe(inOnePiece(first));
        },
      ),
    );
  });
});

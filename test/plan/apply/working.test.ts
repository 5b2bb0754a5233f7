import { describe, expect, test } from 'vitest';

import {
  accepted,
  after,
  at,
  child,
  claim,
  complete,
  expanded,
  goalAt,
  id,
  planWith,
  refusal,
  statuses,
} from '../../support/applying.js';

const BEN = { by: 'ben', minute: 5 };
const DIGEST = { summary: 'Done', key_decisions: ['Postgres'], artifacts: ['schema.sql'] };

describe('a claim', () => {
  test('says who holds the goal since when, until when, and by which token', () => {
    const plan = accepted(planWith('a'), claim('a'), { minute: 3 });
    expect(goalAt(plan, 'a').claim).toEqual({ by: 'ana', since: at(3), expires_at: at(30), token: 'ta' });
  });

  test('is refused on a goal that is held, also by the same name, until it has expired', () => {
    const plan = accepted(planWith('a'), claim('a'));
    expect(refusal(plan, claim('a', 'tb', 60), BEN)).toMatchObject({
      code: 'claimed',
      holder: { by: 'ana' },
    });
    expect(refusal(plan, claim('a', 'tb', 60), { minute: 29 })).toMatchObject({
      code: 'claimed',
      holder: { by: 'ana' },
    });
    const taken = accepted(plan, claim('a', 'tb', 60), { by: 'ben', minute: 30 });
    expect(goalAt(taken, 'a').claim).toMatchObject({ by: 'ben', token: 'tb' });
  });

  test('is refused on a goal that is not there, not atomic, or waits for another or for what is above it', () => {
    let plan = planWith('a', child('b', { atomic: false, dependencies: [id('a')] }));
    plan = expanded(plan, 'b', [child('c'), child('d', { dependencies: [id('c')] })]);
    expect(refusal(plan, claim('zz'))).toMatchObject({ code: 'no_goal' });
    expect(refusal(plan, claim('b'))).toMatchObject({ code: 'wrong_status', status: 'decomposing' });
    expect(refusal(plan, claim('c'))).toMatchObject({ code: 'waiting', waiting_for: [id('a')] });
    expect(refusal(plan, claim('d'))).toMatchObject({ code: 'waiting', waiting_for: [id('c'), id('a')] });
    expect(goalAt(after(plan, complete('a'), claim('c')), 'c').claim?.by).toBe('ana');
  });

  test('is renewed with its token, also when it has expired and nobody took the goal meanwhile', () => {
    const renew = (token: string) =>
      ({ type: 'claim_renewed', goal: id('a'), token, expires_at: at(90) }) as const;
    const plan = accepted(planWith('a'), claim('a'));
    expect(refusal(plan, renew('other'))).toMatchObject({ code: 'claim_over', holder: { by: 'ana' } });
    expect(goalAt(accepted(plan, renew('ta'), { minute: 50 }), 'a').claim?.expires_at).toBe(at(90));
    expect(refusal(after(plan, complete('a')), renew('ta'))).toMatchObject({
      code: 'claim_over',
      holder: null,
    });
    expect(refusal(plan, { ...renew('ta'), goal: id('zz') })).toMatchObject({ code: 'no_goal' });
  });

  test('is given back by its holder, by its token, or by force', () => {
    const release = { type: 'claim_released', goal: id('a') } as const;
    const plan = accepted(planWith('a'), claim('a'));
    expect(goalAt(accepted(plan, release), 'a')).not.toHaveProperty('claim');
    expect(refusal(plan, release, BEN)).toMatchObject({ code: 'claimed', holder: { by: 'ana' } });
    expect(goalAt(accepted(plan, { ...release, token: 'ta' }, BEN), 'a')).not.toHaveProperty('claim');
    expect(refusal(plan, { ...release, token: 'tb' })).toMatchObject({
      code: 'claim_over',
      holder: { by: 'ana' },
    });
    expect(goalAt(accepted(plan, { ...release, forced: true }, BEN), 'a')).not.toHaveProperty('claim');
    expect(refusal(planWith('a'), release)).toMatchObject({ code: 'not_claimed' });
    expect(refusal(plan, { ...release, goal: id('zz') })).toMatchObject({ code: 'no_goal' });
  });
});

describe.each([
  ['completing', { type: 'goal_completed', goal: id('a') } as const, 'complete'],
  ['failing', { type: 'goal_failed', goal: id('a'), reason: 'x', phase: 'work' } as const, 'failed'],
])('%s a claimed goal', (_name, payload, status) => {
  const plan = accepted(planWith('a', 'b'), claim('a'));

  test('is for its holder, and ends the claim', () => {
    const done = accepted(plan, payload);
    expect(goalAt(done, 'a')).toMatchObject({ status });
    expect(goalAt(done, 'a')).not.toHaveProperty('claim');
    expect(statuses(accepted(plan, { ...payload, token: 'ta' }, BEN)).a).toBe(status);
  });

  test('is refused to another name while it holds, and to another token always', () => {
    expect(refusal(plan, payload, BEN)).toMatchObject({ code: 'claimed', holder: { by: 'ana' } });
    expect(refusal(plan, { ...payload, token: 'tb' })).toMatchObject({
      code: 'claim_over',
      holder: { by: 'ana' },
    });
    expect(refusal(plan, { ...payload, token: 'tb' }, { minute: 99 })).toMatchObject({
      code: 'claim_over',
      holder: { by: 'ana' },
    });
    expect(statuses(accepted(plan, payload, { by: 'ben', minute: 30 })).a).toBe(status);
  });

  test('with a token is refused when the claim is over', () => {
    expect(refusal(planWith('a'), { ...payload, token: 'ta' })).toMatchObject({
      code: 'claim_over',
      holder: null,
    });
  });
});

test('what was submitted is kept in the event and changes nothing in the plan', () => {
  const done = accepted(planWith('a'), { ...complete('a'), result: { summary: 'It is up' } });
  expect(goalAt(done, 'a').digest).toBeNull();
});

describe('a digest', () => {
  const digested = { type: 'goal_digested', goal: id('a'), digest: DIGEST, made_by: 'model' } as const;

  test('is given to a finished goal, may be replaced, and costs what it cost', () => {
    const usage = { calls: 1, input_tokens: 10, output_tokens: 4, cost_usd: 0.25 };
    let plan = after(planWith('a', 'b'), complete('a'));
    plan = accepted(plan, { ...digested, usage });
    plan = accepted(plan, { ...digested, digest: { ...DIGEST, summary: 'Better' }, usage });
    expect(goalAt(plan, 'a')).toMatchObject({ digest: { summary: 'Better' }, tokens_used: 28 });
    expect(plan.header).toMatchObject({ total_tokens: 28, usage: { calls: 2, cost_usd: 0.5 } });
  });

  test('is given to a finished composite as well, and lost when that is open again', () => {
    let plan = after(planWith('a'), complete('a'), { ...digested, goal: id('root') });
    expect(goalAt(plan, 'root').digest).toEqual(DIGEST);
    plan = accepted(plan, { type: 'goal_reopened', goal: id('a') });
    expect(goalAt(plan, 'root').digest).toBeNull();
  });

  test('is refused for what is not finished or not there', () => {
    expect(refusal(planWith('a'), digested)).toMatchObject({ code: 'wrong_status', need: 'digest' });
    expect(refusal(planWith('b'), digested)).toMatchObject({ code: 'no_goal' });
  });
});

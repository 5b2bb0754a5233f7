import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

/** Adds a line, and where that conflicts does something else. */
const resolving = (resolve: string) =>
  `if grep -q '<<<<' src/base.txt; then ${resolve}; else echo agent >> src/base.txt; fi`;
const RESOLVED = `grep -v '^[<=>]' src/base.txt > r; mv r src/base.txt`;

/** What waits of goal 1 by now. */
async function waiting({ workspace }: AgentsPlace) {
  const { attempts } = await workspace.attempts.list();
  return attempts[0];
}

/** A place where a change of src/base.txt waits, and has come into conflict. */
async function conflictingPlace(resolve: string, review: 'each' | 'needed' = 'each') {
  const place = await newAgentsPlace(resolving(resolve));
  if (review === 'each') await place.workspace.edit('1', { checks: ['ok'] });
  await place.workspace.work({ review });
  const first = (await waiting(place))?.commit ?? '';
  place.shell('echo other >> src/base.txt; git commit -qam Other');
  return { place, first };
}

test.each(['each', 'needed'] as const)(
  'what an agent makes of a conflict after its work was accepted waits again (%s)',
  async (review) => {
    const { place, first } = await conflictingPlace(`${RESOLVED}; echo unseen > unseen.sh`, review);
    const accepted = await place.start(['attempts', 'accept', '1', '--commit', first], place.variables).ended;
    expect(accepted.status).toBe(8);
    expect(accepted.out).toContain(`worked on it again since ${first.slice(0, 10)} was accepted`);
    expect(place.git('log', '-1', '--format=%s', 'main').trim()).toBe('Other');
    const second = await waiting(place);
    expect(second).toMatchObject({ state: 'waiting', files: ['src/base.txt', 'unseen.sh'] });
    expect(accepted.out).toContain(second?.commit?.slice(0, 10));
    const refused = place.workspace.attempts.accept('1', { commit: first });
    await expect(refused).rejects.toMatchObject({ code: 'REFUSED' });
    const landed = await place.workspace.attempts.accept('1', { commit: second?.commit ?? '' });
    expect(landed).toMatchObject({ outcome: 'landed' });
    expect(place.git('show', 'main:src/base.txt')).toBe('base\nother\nagent\n');
  },
);

test.each([
  ['leaves the marks', ':', 'holds conflict markers'],
  ['fails', 'echo tired >&2; exit 3', 'status 3: tired'],
  ['cannot be started', 'exit 127', 'status 127'],
  ['breaks a check', `${RESOLVED}; echo x > broken.txt`, 'the check ok failed'],
  ['changes nothing', 'git checkout -q HEAD src/base.txt', 'changed nothing'],
])('accepted work waits as it was where the agent that resolves a conflict %s', async (_, resolve, why) => {
  const { place, first } = await conflictingPlace(resolve);
  const end = await place.workspace.attempts.accept('1', { commit: first });
  expect(end).toMatchObject({ outcome: 'waiting', commit: first });
  expect(end.reason).toMatch(
    /^it conflicts with what landed meanwhile, and the agent did not resolve that: /,
  );
  expect(end.reason).toContain(why);
  expect(await waiting(place)).toMatchObject({ state: 'waiting', commit: first, files: ['src/base.txt'] });
  expect((await place.workspace.attempts.show('1')).diff).toContain('+agent');
  expect((await place.workspace.show('1')).goal.status).toBe('atomic');
  expect(place.git('for-each-ref', '--format=%(objectname)', 'refs/frctl/attempts').trim()).toBe(first);
});

test('an attempt that was accepted and killed lands nothing else with the next command', async () => {
  const { place, first } = await conflictingPlace(`kill -9 $PPID; sleep 5`);
  await place.start(['attempts', 'accept', '1', '--commit', first], place.variables).ended;
  const agent = `${resolving(`${RESOLVED}; echo unseen > unseen.sh`)}\n`;
  place.shell(
    `printf '%s' '#!/bin/sh\ncat > /dev/null\n${agent.replaceAll("'", `'\\''`)}' > "${place.home}/agent.sh"`,
  );
  const report = await place.workspace.work();
  expect(report.goals).toMatchObject([{ outcome: 'waiting' }]);
  expect(report.goals?.[0]?.reason).toContain(`since ${first.slice(0, 10)} was accepted`);
});

test('a check that runs something else by now is run before what was accepted lands', async () => {
  const place = await newAgentsPlace('echo a > a.txt');
  await place.workspace.edit('1', { checks: ['ok'] });
  await place.workspace.work({ review: 'each' });
  const commit = (await waiting(place))?.commit ?? '';
  place.shell(`sed -i 's/sh, check.sh/"false"/' .plans/tools.yaml`);
  const { digest } = await place.workspace.tools.trust();
  await place.workspace.tools.trust({ digest: digest.slice(0, 12) });
  const end = await place.workspace.attempts.accept('1', { commit });
  expect(end).toMatchObject({ outcome: 'failed' });
  expect(end.reason).toContain('the check ok failed');
  const kept = place.git('for-each-ref', '--format=%(refname)', 'refs/frctl/kept').trim();
  expect(end.reason).toContain(kept);
  expect(place.git('log', '--format=%s', 'main').trim()).toBe('Base');
});

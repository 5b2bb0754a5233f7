import { expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import { startMcp } from '../support/mcp-client.js';

const LINKED = { FRCTL_LINK: 'true' };
const LEFT = 'one question left: which goals need each other';

test('status and MCP tell the one question that is left where all goals are planned', async () => {
  const user = newUser();
  await user.run(['init', 'Keep the books', '--expander', 'agent'], LINKED);
  expect((await user.run(['status'])).out).not.toContain(LEFT);
  const leaf = (description: string) => ({ description, atomic: true, acceptance: [`${description}: seen`] });
  const sub_goals = [leaf('Import the rows of the bank'), leaf('Send the report to the owner')];
  const answer = { goal: 'root', atomic: false, sub_goals };
  await user.run(['answer', '--from', '-'], LINKED, JSON.stringify(answer));
  expect((await user.run(['status'])).out).toContain(`3 in 2 levels, ${LEFT}`);
  const host = await startMcp(user, '2025', [], LINKED);
  onTestFinished(() => host.close());
  expect((await host.call('plan_status', { plan: 'books' })).document).toMatchObject({
    planning: { by: 'agent', left: 1 },
    problems: ['one question is left: which leaves need each other'],
  });
  const outline = (await host.call('plan_show', {})).text;
  expect(outline).toMatch(/^one question is left: which leaves need each other\n- root /);
  expect((await host.call('plan_show', { goal: '1' })).text).not.toContain('question');
  const { questions } = (await user.run(['ask', '--kind', 'link', '--json'], LINKED)).json() as {
    questions: readonly object[];
  };
  const links = { ...questions[0], needs: [{ goal: '2', on: ['1'] }], missing: [] };
  await user.run(['answer', '--from', '-'], LINKED, JSON.stringify({ answers: [links] }));
  expect((await user.run(['status'])).out).not.toContain(LEFT);
  expect((await host.call('plan_status', { plan: 'books' })).document).toMatchObject({ planning: null });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { temporaryFolder } from '../support/folders.js';
import { startModelServer } from '../support/model-server.js';

const part = (description: string, atomic: boolean) => ({
  description,
  reasoning: 'x',
  atomic,
  acceptance: [],
  size: 'M',
  depends_on: [],
});
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'Keep the ledger': ['Write the ledger tables', 'Build the ledger jobs'],
  'Write the ledger tables': ['Name the ledger columns', 'Handle edge cases'],
  'Build the ledger jobs': ['Import the ledger rows', 'Polish the ledger'],
};

test('every question of a plan tells what was decided for it', async () => {
  const server = await startModelServer({
    respond: ({ goal, user }) => {
      const parts = PARTS[goal];
      if (user.includes('<leaves>')) return { needs: [], missing: [] };
      if (user.includes('<pairs>')) return { dependencies: [] };
      if (user.includes('<findings>'))
        return { reason: 'x', is_problem: false, description: null, acceptance: null };
      return {
        reasoning: 'x',
        atomic: false,
        decisions: [],
        sub_goals: parts?.map((each) => part(each, !(each in PARTS))) ?? [],
      };
    },
  });
  onTestFinished(() => server.close());
  const [workingFolder, homeFolder] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(
    join(workingFolder, 'tools.json'),
    '{"tools":[{"name":"oven.bake","inputSchema":{"type":"object"}}]}',
  );
  const workspace = openWorkspace({
    environment: { workingFolder, homeFolder, variables: { OPENAI_BASE_URL: server.baseUrl } },
  });
  await workspace.init({ goal: 'Keep the ledger', decide: ['stack = Django'] }).result;
  await workspace.dependencies.infer({});
  await workspace.check({ ask: true });
  await workspace.draft({ goal: '1.1', tools: 'tools.json', expander: 'model' }).catch(() => undefined);
  const told = new Map(
    server.requests.map(({ body, user }) => [
      Object(body).response_format.json_schema.name as string,
      /<decisions>\s*(?:- )?stack: Django\s*<\/decisions>/.test(user),
    ]),
  );
  expect(Object.fromEntries(told)).toEqual({
    expansion: true,
    link: true,
    dependencies: true,
    check: true,
    action_plan: true,
  });
});

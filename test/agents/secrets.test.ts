import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';

const VALUE = 'correct-horse-9';
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

/** A place whose agent is given a value by a variable. */
async function place(script: string) {
  const made = await newAgentsPlace(script);
  const command = [join(made.home, 'agent.sh')];
  made.configure({ agents: { mine: { command, env: ['MYKEY'] } } });
  Object.assign(made.variables, { MYKEY: VALUE });
  return made;
}

/** All that is stored of the plan. */
function stored({ folder }: Awaited<ReturnType<typeof place>>): string {
  const files = readdirSync(join(folder, '.plans'), { withFileTypes: true, recursive: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    .join('\n');
}

test.each([
  ['an error message', `echo "no: $MYKEY ${TOKEN}" >&2; exit 4`],
  ['the end of a long output', `echo "$MYKEY" | base64; echo "$MYKEY ${TOKEN}"; printf '%1990d' 0; exit 4`],
  ['what a check prints', `cat > check.sh <<'E'\necho "${VALUE}"; exit 1\nE\nexit 0`],
])(
  'neither values that an agent was given nor tokens are in the plan because of %s',
  async (_where, script) => {
    const made = await place(script);
    await made.workspace.edit('1', { checks: ['ok'] });
    const report = await made.workspace.work({ tries: 1 });
    expect(report.goals).toMatchObject([{ outcome: 'failed' }]);
    expect(report.goals?.[0]?.reason).toContain('[secret]');
    const text = stored(made);
    expect(text).toContain('[secret]');
    expect(text).not.toContain(VALUE);
    expect(text).not.toContain(TOKEN.slice(0, 12));
  },
);

test('they are not in what an agent says of its work', async () => {
  const said = `{"summary":"used ${TOKEN}","decisions":["key '"$MYKEY"'"]}`;
  const made = await place(`echo x > a.txt; echo '${said}' > "$FRCTL_RESULT"`);
  await made.workspace.edit('1', { checks: ['ok'] });
  const report = await made.workspace.work({ review: 'none' });
  expect(report.goals).toMatchObject([{ outcome: 'landed' }]);
  const text = stored(made);
  expect(text).toContain('key [secret]');
  expect(text).toContain('used [secret]');
  expect(text).not.toContain(VALUE);
  expect(text).not.toContain(TOKEN);
});

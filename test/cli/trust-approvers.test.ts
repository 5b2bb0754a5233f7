import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { outputFileSync, writeJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { PLAN, TOOLS } from '../support/approving.js';
import { newUser } from '../support/command.js';
import { hasKeygen, newSshKey } from '../support/ssh-keys.js';

type User = ReturnType<typeof newUser>;

/** A user who trusts the tools of a project whose runs two of three signers approve. */
async function newProject(min = 2) {
  const user = newUser();
  const [ada, bob, eve] = [newSshKey(), newSshKey(), newSshKey()];
  outputFileSync(join(user.folder, '.plans/tools.yaml'), TOOLS);
  writeJsonSync(join(user.folder, 'plan.json'), PLAN);
  writeFileSync(
    join(user.folder, '.plans/approvers'),
    `ada,\u0430da ${ada.text}\n*@x.org,!mallory@x.org ${bob.text}\n*@x.org cert-authority,valid-before="20991231Z" ${eve.text}\n`,
  );
  writeJsonSync(join(user.folder, '.plans/config.json'), { approval: { signers: '.plans/approvers', min } });
  const { digest } = (await user.run(['tools', 'trust', '--json'])).json();
  await user.run(['tools', 'trust', '--digest', String(digest)]);
  return { user, ada, bob, eve };
}

/** What a command says and ends with on a terminal, whose question is answered. */
const onTerminal = ({ folder, home }: User, command: string, answer: string) =>
  new Promise<{ readonly status: number | null; readonly said: string }>((done) => {
    let said = '';
    const plan = `'${process.execPath}' '${resolve('dist/cli/plan.js')}'`;
    const terminal = spawn('script', ['-qec', `stty cols 100; ${plan} ${command}`, '/dev/null'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    terminal.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (chunk.toString().includes('Type yes')) terminal.stdin.write(`${answer}\n`);
    });
    terminal.on('exit', (status) => done({ status, said: said.replaceAll('\r', '') }));
  });

describe.runIf(hasKeygen())('plan config trust-approvers (needs ssh-keygen)', () => {
  test('without a terminal shows who would approve, and how many must, and trusts nothing', async () => {
    const { user, ada, bob, eve } = await newProject();
    const shown = await user.run(['config', 'trust-approvers']);
    expect(shown.status).toBe(4);
    const said = shown.out.replaceAll(/\n *│ /g, '');
    expect(said).toContain('2 signatures of different people of those in ');
    expect(said).toContain(`  ${ada.fingerprint} ssh-ed25519 ada, \u0430da\n`);
    // A pattern of names is nobody’s, and the key has no other.
    expect(said).toContain(`  ${bob.fingerprint} ssh-ed25519 ${bob.fingerprint}\n`);
    expect(said).toContain(
      `  ${eve.fingerprint} ssh-ed25519 (until 2099-12-31T00:00:00.000Z) certifies *@x.org\n`,
    );
    const [, digest = ''] = /trust-approvers ([0-9a-f]{12})/.exec(shown.out) ?? [];
    expect((await user.run(['prepare', 'plan.json'])).status).toBe(4);
    expect((await user.run(['config', 'trust-approvers', digest])).status).toBe(0);
    expect((await user.run(['config', 'trust-approvers', '--json'])).json()).toMatchObject({
      trusted: true,
      min: 2,
      list: [{ fingerprint: ada.fingerprint }, { fingerprint: bob.fingerprint }, { authority: '*@x.org' }],
    });
    expect((await user.run(['prepare', 'plan.json'])).status).toBe(0);
  });

  test.runIf(existsSync('/usr/bin/script'))(
    'asks on a terminal, shows what has changed, and lets codes approve again when it is told so (needs util-linux’s script)',
    async () => {
      const { user } = await newProject();
      expect((await onTerminal(user, 'config trust-approvers', 'y')).status).toBe(4);
      expect((await onTerminal(user, 'config trust-approvers', 'yes')).status).toBe(0);
      const config = join(user.folder, '.plans/config.json');
      writeFileSync(config, readFileSync(config, 'utf8').replace('"min":2', '"min":1'));
      const fewer = await onTerminal(user, 'config trust-approvers', 'no');
      expect(fewer.status).toBe(4);
      expect(fewer.said).toMatch(/Changed since you trusted it:\n\S*- 2 signatures of different people/);
      writeFileSync(config, '{}');
      expect((await user.run(['prepare', 'plan.json'])).error).toContain('trust-approvers');
      const none = await onTerminal(user, 'config trust-approvers', 'yes');
      expect(none.said).toContain('a code of whoever runs them');
      expect(none.said).toContain('Type yes to let a code approve runs here: ');
      expect(none.status).toBe(0);
      expect((await user.run(['prepare', 'plan.json'])).out).toContain('Code:');
    },
  );

  test.runIf(existsSync('/usr/bin/script'))(
    'whoever signs on a terminal is shown what would run, and asked (needs util-linux’s script)',
    async () => {
      const { user, ada } = await newProject(1);
      const { digest } = (await user.run(['config', 'trust-approvers', '--json'])).json();
      await user.run(['config', 'trust-approvers', String(digest)]);
      const run = String((await user.run(['prepare', 'plan.json', '--json'])).json().run);
      const sign = `approve ${run} --sign ${ada.key}`;
      const refused = await onTerminal(user, sign, 'no');
      expect(refused.status).toBe(4);
      expect(refused.said).toContain('Action: note path "a.md", text "hello"');
      expect(refused.said).toContain('Signatures: 0 of 1');
      expect((await user.run(['run', run])).status).toBe(4);
      expect((await onTerminal(user, sign, 'yes')).status).toBe(0);
      expect((await user.run(['run', run])).status).toBe(0);
    },
  );
});

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { outputFileSync, readJsonSync, writeJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import {
  agree,
  carryOut,
  logOf,
  newPlace,
  PLAN,
  prepare,
  TOOLS,
  trustApprovers,
  written,
} from '../support/approving.js';
import { newUser } from '../support/command.js';
import { checksumOf } from '../support/format-reader.js';
import { temporaryFolder } from '../support/folders.js';

/** A log as a version has written it that did not say whose key has drawn a code. */
function withoutKey(text: string): string {
  return text.replaceAll(
    /^(.*),"code_key":"[0-9a-f]{32}"(.*),"crc":"[0-9a-f]{8}"\}$/gm,
    (_line, a: string, b: string) => {
      const rest = `${a}${b}`;
      return `${rest},"crc":"${checksumOf(Buffer.from(rest))}"}`;
    },
  );
}

describe('an approval', () => {
  test('O41, W4, W10, W11: lets a run be carried out once, and the code is stored nowhere', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    expect(await agree(place.workspace, code)).toMatchObject({ run, scope: 'run', via: 'terminal' });
    expect(written(place)).toBe(false);
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(join(place.folder, 'notes/a.md'), 'utf8')).toBe('hello');
    expect(logOf(place, run)).not.toContain(code);
    await expect(agree(place.workspace, code)).rejects.toMatchObject({ code: 'E_APPROVAL_CONSUMED' });
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_CONSUMED' });
  });

  test('needs a person who was shown what would run, also of a program', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await expect(place.workspace.approve({ code })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('terminal'),
    });
    await expect(
      place.workspace.approve({ code, agreed: { via: 'page', shown: 'x' } }),
    ).rejects.toMatchObject({ code: 'REFUSED' });
    await expect(place.workspace.approve({ code: run })).rejects.toMatchObject({ code: 'REFUSED' });
    expect(await place.workspace.approve({ code, dryRun: true })).toMatchObject({ approval: null, run });
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
  });

  test('is not given by a log that somebody else wrote: forged, foreign, of another run, of another plan', async () => {
    const place = await newPlace();
    const [one, two] = [await prepare(place.workspace), await prepare(place.workspace)];
    await agree(place.workspace, one.code);
    const approved =
      logOf(place, one.run)
        .split('\n')
        .find((line) => line.includes('"run_approved"')) ?? '';
    const file = join(place.folder, '.plans/runs', `${two.run}.events.jsonl`);
    // Another run’s approval, brought into the log as it is.
    writeFileSync(file, `${logOf(place, two.run)}${approved}\n`);
    await expect(carryOut(place.workspace, two.run)).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
    });
    // The log of a run with its approval, in the hands of another user with a key of his own.
    const stranger = place.as({ home: temporaryFolder() });
    const { digest } = await stranger.tools.trust({});
    await stranger.tools.trust({ digest });
    await expect(carryOut(stranger, one.run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    expect(written(place)).toBe(false);
    // For whom it was given it holds.
    expect(await carryOut(place.workspace, one.run)).toMatchObject({ status: 'succeeded' });
  });

  test('holds in its workspace alone', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    const folder = temporaryFolder();
    cpSync(place.folder, folder, { recursive: true });
    const other = place.as({ folder });
    await expect(other.approve({ code, dryRun: true })).rejects.toMatchObject({ code: 'E_WRONG_WORKSPACE' });
    await agree(place.workspace, code);
    cpSync(join(place.folder, '.plans'), join(folder, '.plans'), { recursive: true });
    const { digest } = await other.tools.trust({});
    await other.tools.trust({ digest });
    await expect(carryOut(other, run)).rejects.toMatchObject({ code: 'E_PLAN_WORKSPACE_MISMATCH' });
    expect(existsSync(join(folder, 'notes'))).toBe(false);
  });

  test('holds for a time; a moment later it does not', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    const later = place.as({ now: () => Date.now() + 16 * 60_000 });
    await expect(later.approve({ code, dryRun: true })).rejects.toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    await agree(place.workspace, code);
    await expect(carryOut(later, run)).rejects.toMatchObject({ code: 'E_PLAN_EXPIRED' });
    expect(written(place)).toBe(false);
  });

  test('W19: is void after five wrong codes, for every run that waits for one', async () => {
    const place = await newPlace();
    const [one, two] = [await prepare(place.workspace), await prepare(place.workspace)];
    for (let guess = 0; guess < 5; guess += 1)
      await expect(place.workspace.approve({ code: `0000000${guess}`, dryRun: true })).rejects.toMatchObject({
        code: 'E_APPROVAL_NOT_FOUND',
      });
    for (const { run, code } of [one, two]) {
      await expect(agree(place.workspace, code)).rejects.toMatchObject({ code: 'WRONG_STATE' });
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    }
    // What is prepared afterwards takes a code again; what is no code is no guess.
    const three = await prepare(place.workspace);
    await expect(place.workspace.approve({ code: 'nonsense!' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await agree(place.workspace, three.code)).toMatchObject({ run: three.run });
  });

  test('is not void for what others guess, who have another key; nor does the right code help them', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    const colleague = place.as({ home: temporaryFolder() });
    const { digest } = await colleague.tools.trust({});
    await colleague.tools.trust({ digest });
    const guess = (workspace: typeof colleague, given: string) =>
      expect(workspace.approve({ code: given, dryRun: true })).rejects.toMatchObject({
        code: 'E_APPROVAL_NOT_FOUND',
      });
    for (const given of [code, '00000000', '00000001']) await guess(colleague, given);
    const theirs = await prepare(colleague);
    for (const given of [code, '00000000', '00000001', '00000002', '00000003']) await guess(colleague, given);
    await expect(agree(colleague, theirs.code)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    expect(await agree(place.workspace, code)).toMatchObject({ run });
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('is void after five guesses where its log is of a version that did not say whose it is', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    const path = join(place.folder, '.plans/runs', `${run}.events.jsonl`);
    writeFileSync(path, withoutKey(readFileSync(path, 'utf8')));
    expect(logOf(place, run)).not.toContain('code_key');
    for (let given = 0; given < 5; given += 1)
      await expect(place.workspace.approve({ code: `0000000${given}`, dryRun: true })).rejects.toMatchObject({
        code: 'E_APPROVAL_NOT_FOUND',
      });
    await expect(agree(place.workspace, code)).rejects.toMatchObject({ code: 'WRONG_STATE' });
  });

  test('ends when a tool is another, or its file is', async () => {
    const place = await newPlace();
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    writeFileSync(join(place.folder, '.plans/tools.yaml'), TOOLS.replace('root: notes', 'root: elsewhere'));
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_UNTRUSTED' });
    const { digest } = await place.workspace.tools.trust({});
    await place.workspace.tools.trust({ digest });
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
    expect(readdirSync(place.folder)).not.toContain('elsewhere');
  });

  test('is not asked for tools that the user lets run unasked, and the project cannot say so', async () => {
    const place = await newPlace();
    writeFileSync(join(place.folder, '.plans/config.json'), '{}');
    const config = join(place.home, '.config/frctl/config.json');
    const own = readJsonSync(config) as object;
    writeJsonSync(config, { ...own, unasked_tools: ['note'] });
    const prepared = await place.workspace.prepare('plan.json', {});
    expect(prepared).toMatchObject({ requires_approval: false, approval: null });
    expect(await carryOut(place.workspace, prepared.run)).toMatchObject({ status: 'succeeded' });
    writeJsonSync(config, own);
    writeJsonSync(join(place.folder, '.plans/config.json'), { unasked_tools: ['note'] });
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  test('of a step binds its arguments, and its code is of that step alone', async () => {
    const place = await newPlace({
      ...PLAN,
      steps: [
        { id: 'look', tool: 'look', args: {} },
        { id: 'n', tool: 'note', args: { path: 'a.md', text: '${look.text}' }, requires_approval: true },
      ],
    });
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    const waiting = await carryOut(place.workspace, run);
    expect(waiting).toMatchObject({ status: 'waiting' });
    expect(written(place)).toBe(false);
    const second = /"code":"([0-9A-Z]{8})"/.exec(JSON.stringify(waiting))?.[1] ?? '';
    await expect(agree(place.workspace, code)).rejects.toMatchObject({ code: 'E_APPROVAL_CONSUMED' });
    expect(await agree(place.workspace, second)).toMatchObject({ scope: 'n' });
    await expect(agree(place.workspace, second)).rejects.toMatchObject({ code: 'E_APPROVAL_CONSUMED' });
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(join(place.folder, 'notes/a.md'), 'utf8')).toBe('looked\n');
  });
});

describe.runIf(existsSync('/usr/bin/ssh-keygen'))('signatures (need ssh-keygen)', () => {
  function newKey(name: string) {
    const key = join(temporaryFolder(), name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key]);
    return { key, line: `${name} ${readFileSync(`${key}.pub`, 'utf8')}` };
  }

  test('approve in place of codes: as many as are asked for, of those who are listed, in a list that is trusted', async () => {
    const place = await newPlace();
    const [ada, bob, eve] = [newKey('ada'), newKey('bob'), newKey('eve')];
    const before = await prepare(place.workspace);
    writeFileSync(join(place.folder, '.plans/approvers'), ada.line + bob.line);
    writeJsonSync(join(place.folder, '.plans/config.json'), {
      approval: { signers: '.plans/approvers', min: 2 },
    });
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
      hint: expect.stringContaining('trust-approvers'),
    });
    const { digest } = await trustApprovers(place.workspace);
    expect(digest).toHaveLength(64);
    await expect(agree(place.workspace, before.code)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('signatures'),
    });
    const { run, ...prepared } = await place.workspace.prepare('plan.json', {});
    // A code would approve nothing, so there is none; what is needed is said in its place.
    expect(prepared).toMatchObject({
      requires_approval: true,
      approval: null,
      signers: { file: '.plans/approvers', needed: 2, command: `plan approve ${run} --sign KEY` },
    });
    expect(logOf(place, run)).not.toContain('"code":');
    await expect(place.workspace.approve({ code: run, sign: eve.key })).rejects.toMatchObject({
      code: 'REFUSED',
    });
    expect(await place.workspace.approve({ code: run, sign: ada.key })).toMatchObject({
      signer: 'ada',
      signatures: { given: 1, needed: 2 },
    });
    expect(await place.workspace.runs.show(run)).toMatchObject({
      status: 'prepared',
      next: [{ command: `plan approve ${run} --sign KEY` }],
    });
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
      message: expect.stringContaining('2 different people must sign it'),
    });
    await expect(place.workspace.approve({ code: run, sign: ada.key })).rejects.toMatchObject({
      code: 'E_APPROVAL_CONSUMED',
    });
    expect(await place.workspace.approve({ code: run, sign: bob.key })).toMatchObject({
      signer: 'bob',
      signatures: { given: 2, needed: 2 },
    });
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('of a step are asked for by the command that gives them, and no code is drawn', async () => {
    const place = await newPlace({ ...PLAN, steps: [{ ...PLAN.steps[0], requires_approval: true }] });
    const ada = newKey('ada');
    writeFileSync(join(place.folder, '.plans/approvers'), ada.line);
    writeJsonSync(join(place.folder, '.plans/config.json'), { approval: { signers: '.plans/approvers' } });
    await trustApprovers(place.workspace);
    const { run } = await prepare(place.workspace);
    await place.workspace.approve({ code: run, sign: ada.key });
    const asked = await carryOut(place.workspace, run);
    expect(asked).toMatchObject({
      status: 'waiting',
      waiting: [{ step: 'n', commands: [`plan approve ${run} --step n --sign KEY`] }],
    });
    expect(asked.waiting[0]?.code).toBeUndefined();
    await place.workspace.approve({ code: run, step: 'n', sign: ada.key });
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    expect(logOf(place, run)).not.toContain('"code":');
  });

  test('of somebody who was put on the list afterwards do not count', async () => {
    const place = await newPlace();
    const [ada, eve] = [newKey('ada'), newKey('eve')];
    writeFileSync(join(place.folder, '.plans/approvers'), ada.line);
    writeJsonSync(join(place.folder, '.plans/config.json'), { approval: { signers: '.plans/approvers' } });
    await trustApprovers(place.workspace);
    const { run } = await prepare(place.workspace);
    writeFileSync(join(place.folder, '.plans/approvers'), ada.line + eve.line);
    await expect(place.workspace.approve({ code: run, sign: eve.key })).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
    });
    renameSync(join(place.folder, '.plans/approvers'), join(place.folder, '.plans/gone'));
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(written(place)).toBe(false);
  });
});

describe('plan approve', () => {
  test('shows all that would run, and says of what would flood a terminal how much is left out', async () => {
    const place = await newPlace({
      ...PLAN,
      steps: [
        { id: 'm', tool: 'note', args: { path: 'm.md', text: `${'word '.repeat(100)}the end` } },
        {
          id: 'n',
          tool: 'note',
          args: { path: 'n.md', text: `${'line of it\n'.repeat(1000)}the last line` },
        },
      ],
    });
    const { code, run } = await prepare(place.workspace);
    const user = newUser(place.folder);
    const environment = { HOME: place.home, XDG_CONFIG_HOME: join(place.home, '.config') };
    const { out } = await user.run(['approve', code, '--dry-run'], environment);
    const said = out.replaceAll(/\n *│ /g, '');
    expect(said).toContain(`text: "${'word '.repeat(100)}the end"\n`);
    expect(said).toContain('the last line"\n');
    const command = `plan approve ${run} --dry-run --json`;
    const [, left] = /\n +\*\*\* (\d+) characters are not shown here; all of it: (.*)/.exec(out) ?? [];
    expect(out).toContain(`${left} characters are not shown here; all of it: ${command}\n`);
    expect(out).toContain(
      `\n*** ${left} characters of this are not shown above. See all of it first: ${command}\nNothing was approved.`,
    );
    // Of 1001 lines 160 are shown, each of twelve characters with the line feed that JSON escapes.
    expect(Number(left)).toBe((1001 - 160) * 'line of it\\n'.length);
    const { plan } = (await user.run(command.split(' ').slice(1), environment)).json() as {
      plan: { steps: readonly { args: { text: string } }[] };
    };
    expect(plan.steps[1]?.args.text).toBe(`${'line of it\n'.repeat(1000)}the last line`);
    const prepared = await user.run(['prepare', 'plan.json'], environment);
    expect(prepared.out.replaceAll(/\n *│ /g, '')).toContain(`text: "${'word '.repeat(100)}the end"\n`);
    expect(prepared.out).toContain(`*** ${left} characters are not shown here`);
  });

  test.runIf(existsSync('/usr/bin/script'))(
    'asks for a yes on a terminal, and nothing else will do (needs util-linux’s script)',
    async () => {
      const user = newUser();
      outputFileSync(join(user.folder, '.plans/tools.yaml'), TOOLS);
      writeJsonSync(join(user.folder, 'plan.json'), PLAN);
      const untrusted = await user.run(['prepare', 'plan.json', '--json']);
      expect(untrusted.status).toBe(4);
      const shown = await user.run(['tools', 'trust', '--json']);
      await user.run(['tools', 'trust', '--digest', String(shown.json().digest)]);
      const prepared = (await user.run(['prepare', 'plan.json', '--json'])).json();
      const { code } = prepared.approval as { code: string };
      expect((await user.run(['approve', code])).status).toBe(4);
      const answered = (answer: string) =>
        new Promise<{ readonly status: number | null; readonly said: string }>((done) => {
          let said = '';
          const command = `'${process.execPath}' '${resolve('dist/cli/plan.js')}' approve ${code}`;
          const terminal = spawn('script', ['-qec', command, '/dev/null'], {
            cwd: user.folder,
            env: { PATH: process.env.PATH, HOME: user.home, TERM: 'xterm' },
            stdio: ['pipe', 'pipe', 'ignore'],
          });
          terminal.stdout.on('data', (chunk: Buffer) => {
            said += chunk.toString();
            if (chunk.toString().includes('Type yes')) terminal.stdin.write(answer);
          });
          terminal.on('exit', (status) => done({ status, said: said.replaceAll('\r', '') }));
        });
      const short = await answered('y\n');
      expect(short.status).toBe(4);
      expect(short.said).toContain('the answer was “y”, and only the word yes agrees');
      expect(short.said).toContain(`The code still holds: \`plan approve ${code}\` asks again.`);
      const stopped = await answered('\u0003');
      expect(stopped.status).toBe(130);
      expect(stopped.said).toMatch(/\n\S*interrupted:\S* nothing is changed\n/);
      expect((await answered('yes\n')).status).toBe(0);
      expect((await user.run(['run', String(prepared.run)])).status).toBe(0);
      expect(readFileSync(join(user.folder, 'notes/a.md'), 'utf8')).toBe('hello');
    },
  );
});

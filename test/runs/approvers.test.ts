import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  isTrustedPolicy,
  withTrustedPolicy,
} from '../../src/features/runs/operations/trust/trusted-approvers.js';
import { isTrustedFile, withTrustedFile } from '../../src/features/runs/operations/trust/trusted-files.js';
import { sha256 } from '../../src/kernel/sha256.js';
import {
  agree,
  carryOut,
  newPlace,
  PLAN,
  prepare,
  TOOLS,
  trustApprovers,
  written,
} from '../support/approving.js';
import type { Place } from '../support/approving.js';
import { forgeLog } from '../support/run-logs.js';
import { certify, hasKeygen, newSshKey } from '../support/ssh-keys.js';
import type { SshKey } from '../support/ssh-keys.js';

const LIST = '.plans/approvers';
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMZCWVqySwcR57hVzXdRzlK1Fzm1XNYxZHFPGf5J8mPN';

/** Names a list in the project's config, with what it says. */
function name(place: Place, list: string, min?: number, file = LIST) {
  writeFileSync(join(place.folder, file), list);
  const approval = { signers: file, ...(min === undefined ? {} : { min }) };
  writeFileSync(join(place.folder, '.plans/config.json'), JSON.stringify({ approval }));
}

const ownConfig = ({ home }: Place) => join(home, '.config/frctl/config.json');
const readOwn = (place: Place) =>
  JSON.parse(readFileSync(ownConfig(place), 'utf8')) as Record<string, unknown>;
const sign = ({ workspace }: Place, run: string, { key }: Pick<SshKey, 'key'>) =>
  workspace.approve({ code: run, sign: key });

describe('trust', () => {
  const file = { path: '/shop/.plans/tools.yaml', text: `ada ${KEY}\n` };

  test('in a list of signers is none in a tools file, and the other way round', () => {
    const policy = { project: '/shop', approvers: { ...file, min: 1 } };
    const [signers, tools] = [withTrustedPolicy({}, policy), withTrustedFile({}, file)];
    expect([isTrustedPolicy(policy, signers), isTrustedFile(file, signers)]).toEqual([true, false]);
    expect([isTrustedPolicy(policy, tools), isTrustedFile(file, tools)]).toEqual([false, true]);
    const both = withTrustedFile(signers, file);
    expect([isTrustedPolicy(policy, both), isTrustedFile(file, both)]).toEqual([true, true]);
  });

  test('in approvers is of the project, the list and its place, and how many must sign', () => {
    const policy = { project: '/shop', approvers: { ...file, min: 2 } };
    const user = withTrustedPolicy({}, policy);
    for (const other of [
      { project: '/shop', approvers: { ...file, min: 1 } },
      { project: '/shop', approvers: { ...file, min: 3 } },
      { project: '/shop', approvers: { ...file, min: 2, text: `eve ${KEY}\n` } },
      { project: '/shop', approvers: { ...file, min: 2, path: '/other/approvers' } },
      { project: '/other', approvers: { ...file, min: 2 } },
      { project: '/shop', approvers: null },
    ])
      expect(isTrustedPolicy(other, user)).toBe(false);
    expect(isTrustedPolicy({ project: '/other', approvers: null }, user)).toBe(true);
    expect(withTrustedPolicy(user, { project: '/shop', approvers: null })).toEqual({ trusted_approvers: [] });
  });

  test('of an earlier version, which did not say for what, counts for nothing; what was trusted is asked about again', async () => {
    const place = await newPlace();
    const { trusted_tools, ...own } = readOwn(place);
    const list = `ada ${KEY}\n`;
    name(place, list);
    const approvers = { file: join(place.folder, LIST), digest: sha256(list) };
    expect(trusted_tools).toHaveLength(1);
    const earlier = [...(trusted_tools as object[]), approvers];
    writeFileSync(ownConfig(place), JSON.stringify({ ...own, trusted_files: earlier }));
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'E_TOOL_UNTRUSTED',
      message: expect.stringContaining('earlier version'),
    });
    const { digest, was_trusted } = await place.workspace.tools.trust({});
    expect(was_trusted).toBe(true);
    await place.workspace.tools.trust({ digest });
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
    });
    expect(readOwn(place)).toMatchObject({ trusted_tools, trusted_files: [approvers] });
    await trustApprovers(place.workspace);
    expect(await place.workspace.prepare('plan.json', {})).toMatchObject({ signers: { needed: 1 } });
  });

  test('is not had by a tools file that is named as the list of signers', async () => {
    const place = await newPlace();
    name(place, TOOLS.replace('root: notes', 'root: elsewhere'), 1, '.plans/tools.yaml');
    await expect(trustApprovers(place.workspace)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: '.plans/tools.yaml line 1 names no signer',
    });
    writeFileSync(join(place.folder, '.plans/config.json'), '{}');
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'E_TOOL_UNTRUSTED',
    });
  });
});

test('a list of signers that is a pipe or a device is refused, and nobody waits for it', async () => {
  const place = await newPlace();
  execFileSync('mkfifo', [join(place.folder, '.plans/pipe')]);
  for (const file of ['.plans/pipe', '/dev/zero']) {
    writeFileSync(join(place.folder, '.plans/config.json'), JSON.stringify({ approval: { signers: file } }));
    const refused = { code: 'INVALID_INPUT', message: `the list of signers ${file} is not a plain file` };
    await expect(trustApprovers(place.workspace)).rejects.toMatchObject(refused);
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject(refused);
  }
});

describe('plan config trust-approvers', () => {
  test('shows everybody who would approve and what has changed, and trusts nothing without their digest', async () => {
    const place = await newPlace();
    const [other] = [KEY.replace('IMZC', 'IMZD')];
    name(place, `ada,ada@x.org ${KEY}\n`, 1);
    const before = await trustApprovers(place.workspace);
    expect(before).toMatchObject({ trusted: true, min: 1, warning: null });
    name(
      place,
      [
        `ada,ada@x.org ${KEY}`,
        `*@x.org cert-authority,valid-before="20990101Z" ${other}`,
        `bob valid-before="20200101Z" ${other}`,
        `carol namespaces="git" ${other}`,
        `!eve,* ${other}`,
      ].join('\n'),
      2,
    );
    const shown = await place.workspace.config.trustApprovers({});
    const fingerprint = shown.list[0]?.fingerprint ?? '';
    expect(fingerprint).toMatch(/^SHA256:[\w+/]{43}$/);
    expect(shown).toMatchObject({
      project: place.folder,
      min: 2,
      trusted: false,
      list: [
        { line: 1, names: ['ada', 'ada@x.org'], authority: null, counts: true, key_type: 'ssh-ed25519' },
        { line: 2, names: [], authority: '*@x.org', valid_before: '2099-01-01T00:00:00.000Z', counts: true },
        { line: 3, names: ['bob'], counts: false, because: 'it is not valid any more' },
        { line: 4, names: ['carol'], namespaces: 'git', counts: false },
        { line: 5, names: [expect.stringMatching(/^SHA256:/)], counts: true },
      ],
    });
    expect(shown.changes?.map(({ sign, text }) => `${sign} ${text}`).slice(0, 2)).toEqual([
      `- 1 signature of those in ${join(place.folder, LIST)}:`,
      `- ${fingerprint} ssh-ed25519 ada, ada@x.org`,
    ]);
    expect(shown.changes?.filter(({ sign }) => sign === '+')).toHaveLength(6);
    await expect(place.workspace.config.trustApprovers({ digest: before.digest })).rejects.toMatchObject({
      code: 'REFUSED',
    });
    await expect(
      place.workspace.config.trustApprovers({ digest: shown.digest.slice(0, 11) }),
    ).rejects.toMatchObject({ code: 'REFUSED' });
    expect(await place.workspace.config.trustApprovers({ digest: shown.digest.slice(0, 12) })).toMatchObject({
      trusted: true,
    });
  });

  test.each([
    ['', 'it lists nobody'],
    ['# nobody yet\n', 'it lists nobody'],
    [`ada valid-before="20200101" ${KEY}\n`, 'line 1: it is not valid any more'],
    [`ada namespaces="git" ${KEY}\n`, 'line 1: it is for git alone'],
  ])('refuses a list without a valid signer: %j', async (list, why) => {
    const place = await newPlace();
    name(place, list);
    await expect(trustApprovers(place.workspace)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining(why),
    });
    await expect(prepare(place.workspace)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
  });

  test('warns of more signatures than there are people, who are counted by key as well as by name', async () => {
    const place = await newPlace();
    name(place, `ada ${KEY}\nbob ${KEY}\n`, 2);
    const { warning } = await place.workspace.config.trustApprovers({});
    expect(warning).toBe('1 person can sign now, and 2 must: no run can be approved');
  });
});

describe.runIf(hasKeygen())('how many must sign (needs ssh-keygen)', () => {
  async function withTwo() {
    const place = await newPlace();
    const [ada, bob] = [newSshKey(), newSshKey()];
    const list = `ada ${ada.text}\nbob ${bob.text}\n`;
    name(place, list, 2);
    await trustApprovers(place.workspace);
    const { run } = await prepare(place.workspace);
    return { place, ada, bob, list, run };
  }

  test('is trusted with the list and fixed in the run: a pull that asks for fewer starts nothing with fewer', async () => {
    const { place, ada, bob, list, run } = await withTwo();
    await sign(place, run, ada);
    name(place, list, 1);
    for (const attempt of [
      () => carryOut(place.workspace, run),
      () => prepare(place.workspace),
      () => sign(place, run, bob),
    ])
      await expect(attempt()).rejects.toMatchObject({
        code: 'E_PLAN_APPROVAL_MISSING',
        message: expect.stringContaining('you have trusted 2 signatures'),
      });
    // Also where the user agrees to fewer, what was prepared before needs what it was prepared with.
    await trustApprovers(place.workspace);
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    expect(written(place)).toBe(false);
    expect(await sign(place, run, bob)).toMatchObject({ signatures: { given: 2, needed: 2 } });
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('cannot be changed in the log: what was signed says it', async () => {
    const { place, ada, list, run } = await withTwo();
    await sign(place, run, ada);
    name(place, list, 1);
    await trustApprovers(place.workspace);
    for (const approvers of [undefined, { signers: LIST, digest: '0'.repeat(64), min: 1 }]) {
      forgeLog(place.folder, run, (event) =>
        event.type === 'run_prepared' ? { ...event, approvers } : event,
      );
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    }
    expect(written(place)).toBe(false);
  });

  test('does not become a code when a pull takes the setting away, or names a list that is trusted elsewhere', async () => {
    const { place, run } = await withTwo();
    const other = await newPlace();
    name(other, `eve ${newSshKey().text}\n`);
    cpSync(place.home, other.home, { recursive: true });
    const stranger = other.as({});
    await trustApprovers(stranger);
    cpSync(other.home, place.home, { recursive: true });
    const refused = async () => {
      for (const attempt of [() => carryOut(place.workspace, run), () => prepare(place.workspace)])
        await expect(attempt()).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    };
    for (const config of ['{}', JSON.stringify({ approval: { signers: join(other.folder, LIST) } })]) {
      writeFileSync(join(place.folder, '.plans/config.json'), config);
      await refused();
    }
    rmSync(join(place.folder, '.plans/config.json'));
    await refused();
    // The user alone can say so, and what was prepared for signatures takes no code all the same.
    const shown = await place.workspace.config.trustApprovers({});
    expect(shown).toMatchObject({ signers: null, min: 0, trusted: false, list: [] });
    expect(shown.changes).toHaveLength(3);
    await place.workspace.config.trustApprovers({ digest: shown.digest });
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({
      code: 'E_PLAN_APPROVAL_MISSING',
      message: expect.stringContaining('prepared for signatures'),
    });
    const next = await prepare(place.workspace);
    await agree(place.workspace, next.code);
    expect(await carryOut(place.workspace, next.run)).toMatchObject({ status: 'succeeded' });
  });

  test('is a number of people: a key and a certificate of it, or two names for one key, are one', async () => {
    const place = await newPlace();
    const [ada, bob, authority] = [newSshKey(), newSshKey(), newSshKey()];
    const certified = certify(authority, ada, 'carol@x.org');
    name(
      place,
      `ada ${ada.text}\n*@x.org cert-authority ${authority.text}\ndave ${ada.text}\n* ${bob.text}\n`,
      2,
    );
    await trustApprovers(place.workspace);
    const { run } = await prepare(place.workspace);
    expect(await sign(place, run, ada)).toMatchObject({ signer: 'ada', signatures: { given: 1 } });
    for (const again of [ada, certified])
      await expect(sign(place, run, again)).rejects.toMatchObject({ code: 'E_APPROVAL_CONSUMED' });
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    // A pattern is not a name, so that he is called by his key.
    expect(await sign(place, run, bob)).toMatchObject({ signer: bob.fingerprint, signatures: { given: 2 } });
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('is counted again from the proofs when the run begins, whatever the log calls those who signed', async () => {
    const place = await newPlace();
    const [ada, authority] = [newSshKey(), newSshKey()];
    const certified = certify(authority, ada, 'carol');
    name(place, `ada ${ada.text}\n* cert-authority ${authority.text}\n`, 2);
    await trustApprovers(place.workspace);
    const { run } = await prepare(place.workspace);
    const file = join(place.folder, '.plans/runs', `${run}.events.jsonl`);
    const before = readFileSync(file, 'utf8');
    await sign(place, run, certified);
    const second = readFileSync(file, 'utf8').slice(before.length);
    writeFileSync(file, before);
    await sign(place, run, ada);
    // Two clones of the store, each with one signature, were merged; and a log that says nothing of keys.
    writeFileSync(file, `${readFileSync(file, 'utf8')}${second}`);
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    forgeLog(place.folder, run, (event) =>
      event.type === 'run_approved' ? { ...event, signer_key: undefined } : event,
    );
    expect((await place.workspace.runs.show(run)).approvals).toHaveLength(2);
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    expect(written(place)).toBe(false);
  });

  test('counts no signature of somebody who is not on the list any more, or whose time is over', async () => {
    const { place, ada, bob, run } = await withTwo();
    await sign(place, run, ada);
    await sign(place, run, bob);
    for (const list of [
      `ada ${ada.text}\neve ${newSshKey().text}\n`,
      `ada ${ada.text}\nbob valid-before="20200101" ${bob.text}\n`,
      `ada ${ada.text}\nbob namespaces="git" ${bob.text}\n`,
    ]) {
      name(place, list, 2);
      await trustApprovers(place.workspace);
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    }
  });

  test('holds for a step as well, also after the list was changed in the middle', async () => {
    const place = await newPlace({ ...PLAN, steps: [{ ...PLAN.steps[0], requires_approval: true }] });
    const [ada, bob, authority] = [newSshKey(), newSshKey(), newSshKey()];
    const certified = certify(authority, ada, 'carol');
    const list = `ada ${ada.text}\nbob ${bob.text}\n* cert-authority ${authority.text}\n`;
    name(place, list, 2);
    await trustApprovers(place.workspace);
    const { run } = await prepare(place.workspace);
    for (const one of [ada, bob]) await sign(place, run, one);
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'waiting' });
    name(place, list, 1);
    await trustApprovers(place.workspace);
    expect(await sign(place, run, ada)).toMatchObject({ scope: 'n', signatures: { given: 1, needed: 2 } });
    await expect(sign(place, run, certified)).rejects.toMatchObject({ code: 'E_APPROVAL_CONSUMED' });
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'waiting' });
    expect(written(place)).toBe(false);
    await sign(place, run, bob);
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });
});

test('a list of signers that nobody could look through is refused', async () => {
  const place = await newPlace();
  name(place, `ada ${KEY}\n`.repeat(1000));
  await expect(trustApprovers(place.workspace)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('65536 bytes'),
  });
});

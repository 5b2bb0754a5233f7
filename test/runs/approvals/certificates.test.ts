import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, onTestFinished, test } from 'vitest';

import { readSigners } from '../../../src/features/runs/model/approvals/allowed-signers.js';
import { signingKeyOf } from '../../../src/features/runs/model/approvals/ssh-certificate.js';
import { signatureOf, signWithSsh } from '../../../src/features/runs/operations/approving/ssh-signature.js';
import { carryOut, newPlace, prepare, trustApprovers, written } from '../../support/approving.js';
import { forgeLog } from '../../support/run-logs.js';
import { certify, hasKeygen, newSshKey } from '../../support/ssh-keys.js';

const signed = {
  text: 'the text',
  namespace: 'frctl-approval',
  variables: { PATH: process.env.PATH },
  folder: process.cwd(),
};
const whoSigned = async (key: string, list: string) =>
  signatureOf(await signWithSsh(key, signed), readSigners(list, 'approvers'), signed);

/** A project whose runs two people approve. */
async function placeOf(list: string, min = 2) {
  const place = await newPlace();
  writeFileSync(join(place.folder, '.plans/approvers'), list);
  const approval = { signers: '.plans/approvers', min };
  writeFileSync(join(place.folder, '.plans/config.json'), JSON.stringify({ approval }));
  await trustApprovers(place.workspace);
  const { run } = await prepare(place.workspace);
  return { place, run, sign: (key: string) => place.workspace.approve({ code: run, sign: key }) };
}

describe.runIf(hasKeygen())('a certificate (needs ssh-keygen)', () => {
  test('counts for names that the list lets its authority give, now, and for users alone', async () => {
    const [authority, ada] = [newSshKey(), newSshKey()];
    const list = `*@x.org cert-authority ${authority.text}\n`;
    const who = async (...[names, validity, options]: [string, string?, string[]?]) =>
      whoSigned(certify(authority, ada, names, validity, options).key, list);
    expect(await who('ada@x.org')).toMatchObject({ signer: 'ada@x.org', key: ada.fingerprint });
    expect(await who('ada@x.org', '-2h:-1h')).toBeNull();
    expect(await who('ada@x.org', '+1h:+2h')).toBeNull();
    expect(await who('ada@y.org')).toBeNull();
    expect(await who('')).toBeNull();
    expect(await who('ada@x.org', '-1h:+1h', ['-h'])).toBeNull();
    // The authority approves nothing itself, and a key that is listed without being one certifies nobody.
    expect(await whoSigned(authority.key, list)).toBeNull();
    expect(
      await whoSigned(certify(authority, ada, 'ada@x.org').key, `ada@x.org ${authority.text}\n`),
    ).toBeNull();
  });

  test.each([['force-command=/bin/true'], ['source-address=10.0.0.1/32'], ['critical:unknown@x.org=1']])(
    'with a condition that cannot be looked at counts for nothing: %s',
    async (condition) => {
      const [authority, ada] = [newSshKey('rsa', '-b', '2048'), newSshKey('ecdsa', '-b', '256')];
      const list = `* cert-authority ${authority.text}\n`;
      const conditional = certify(authority, ada, 'ada', '-1h:+1h', ['-O', condition]);
      expect(await whoSigned(conditional.key, list)).toBeNull();
      // What it permits besides, as each certificate does, is no condition.
      const permitted = certify(authority, ada, 'ada', '-1h:+1h', ['-O', 'extension:more@x.org=1']);
      expect(await whoSigned(permitted.key, list)).toMatchObject({ signer: 'ada' });
    },
  );

  test('says with each type of key whom it names, and a key names nobody', async () => {
    const authority = newSshKey();
    for (const key of [newSshKey(), newSshKey('rsa', '-b', '2048'), newSshKey('ecdsa', '-b', '521')]) {
      const armored = await signWithSsh(certify(authority, key, 'ada,ada@x.org').key, signed);
      expect(signingKeyOf(armored)).toMatchObject({
        principals: ['ada', 'ada@x.org'],
        hasConditions: false,
      });
      expect(signingKeyOf(await signWithSsh(key.key, signed))).toMatchObject({ principals: null });
      const lines = armored.split('\n');
      // Cut off anywhere it names all or nobody.
      for (let kept = 1; kept < lines.length - 3; kept += 1)
        expect([undefined, 'ada,ada@x.org']).toContain(
          signingKeyOf([...lines.slice(0, kept), ...lines.slice(-2)].join('\n'))?.principals?.join(','),
        );
      expect(signingKeyOf([...lines.slice(0, 3), ...lines.slice(-2)].join('\n'))).toBeNull();
    }
    for (const text of ['', 'x', '-----BEGIN SSH SIGNATURE-----\n\n-----END SSH SIGNATURE-----'])
      expect(signingKeyOf(text)).toBeNull();
  });

  test('that shares any of its names with another is of the same person, in whatever order they stand', async () => {
    const [authority, one, two] = [newSshKey(), newSshKey(), newSshKey()];
    const lines = ['*@x.org', '*@y.org', 'a*'].map((names) => `${names} cert-authority ${authority.text}\n`);
    for (const [first, second] of [
      ['ada,ada@x.org', 'ada@x.org,ada'],
      ['adb,ada', 'ada'],
      ['ada@y.org', 'ada@x.org,ada@y.org'],
    ] as const) {
      const { place, run, sign } = await placeOf(lines.join(''));
      expect(await sign(certify(authority, one, first).key)).toMatchObject({ signatures: { given: 1 } });
      await expect(sign(certify(authority, two, second).key)).rejects.toMatchObject({
        code: 'E_APPROVAL_CONSUMED',
      });
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
      expect(written(place)).toBe(false);
    }
  });

  test('is of whom the list says, also in lines that do not sign or count any more', async () => {
    const [authority, one, two, old] = [newSshKey(), newSshKey(), newSshKey(), newSshKey()];
    for (const lines of [
      `ada,ada@x.org ${old.text}\n`,
      `ada,ada@x.org valid-before="20200101Z" ${old.text}\n`,
      `ada valid-before="20200101Z" ${two.text}\n`,
      `ada namespaces="git" ${two.text}\n`,
    ]) {
      const { place, run, sign } = await placeOf(
        `ada ${one.text}\n* cert-authority ${authority.text}\n${lines}`,
      );
      const certified = certify(authority, two, 'ada@x.org').key;
      const file = join(place.folder, '.plans/runs', `${run}.events.jsonl`);
      const before = readFileSync(file, 'utf8');
      await sign(certified);
      const second = readFileSync(file, 'utf8').slice(before.length);
      writeFileSync(file, before);
      await sign(one.key);
      await expect(sign(certified)).rejects.toMatchObject({ code: 'E_APPROVAL_CONSUMED' });
      writeFileSync(file, `${readFileSync(file, 'utf8')}${second}`);
      expect((await place.workspace.runs.show(run)).approvals).toHaveLength(2);
      // Of two logs that were merged the run counts anew.
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    }
  });
});

describe.runIf(hasKeygen())('a proof in a log (needs ssh-keygen)', () => {
  test('that was cut, exchanged or names something else approves nothing', async () => {
    const ada = newSshKey();
    const { place, run, sign } = await placeOf(`ada ${ada.text}\n`, 1);
    await sign(ada.key);
    const forge = (change: (proof: string) => object) =>
      forgeLog(place.folder, run, (event) =>
        event.type === 'run_approved' ? { ...event, ...change(event.proof) } : event,
      );
    let proof = '';
    forge((good) => {
      proof = good;
      return {};
    });
    const other = await signWithSsh(ada.key, signed);
    for (const forged of [
      { proof: proof.slice(0, 100) },
      { proof: `x\n${proof}` },
      { proof: `\0${proof}` },
      { proof: `${proof}${'A'.repeat(70_000)}` },
      { proof: '/dev/zero' },
      { proof: other },
      { signer: 'bob' },
      { via: 'terminal' as const },
      { expires_at: '2099-01-01T00:00:00.000Z' },
    ]) {
      forge(() => ({ proof, ...forged }));
      await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
      forge(() => ({ proof, signer: 'ada', via: 'ssh' }));
    }
    expect(written(place)).toBe(false);
  });
});

test.runIf(hasKeygen())('the times of a list are those of the user’s zone, for ssh-keygen too', async () => {
  const before = process.env.TZ;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  const ada = newSshKey();
  for (const zone of ['Etc/GMT-12', 'Etc/GMT+12']) {
    process.env.TZ = zone;
    const now = new Date();
    const stamp = (at: Date) =>
      [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()]
        .map((part) => String(part).padStart(2, '0'))
        .join('');
    const hour = 3_600_000;
    const [after, until] = [-hour, hour].map((by) => stamp(new Date(now.getTime() + by)));
    const list = readSigners(`ada valid-after="${after}",valid-before="${until}" ${ada.text}\n`, 'approvers');
    const about = { ...signed, variables: { ...signed.variables, TZ: zone } };
    const found = await signatureOf(await signWithSsh(ada.key, about), list, about);
    expect(found).toMatchObject({ signer: 'ada' });
  }
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  readSigners,
  signersText,
  whyNoApprover,
} from '../../../src/features/runs/model/approvals/allowed-signers.js';
import { countPeople } from '../../../src/features/runs/model/approvals/count-people.js';
import { signatureOf, signWithSsh } from '../../../src/features/runs/operations/approving/ssh-signature.js';
import { certify, hasKeygen, newSshKey } from '../../support/ssh-keys.js';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMZCWVqySwcR57hVzXdRzlK1Fzm1XNYxZHFPGf5J8mPN';
const NOW = Date.parse('2026-06-01T12:00:00Z');
const only = (line: string) => {
  const [signer] = readSigners(line, 'approvers');
  if (signer === undefined) throw new Error('nobody is listed');
  return signer;
};

describe('a list of signers', () => {
  test('is read line by line: names, options and key, in whatever way ssh-keygen takes them', () => {
    const list = readSigners(
      `# comment\n\n  ada@x.org,ada ${KEY} a comment "with" marks\r\n"Bob B" Namespaces="git,frctl-*",valid-before="20300101" ${KEY}\n*@x.org cert-authority\t${KEY}`,
      'approvers',
    );
    expect(list).toMatchObject([
      { line: 3, names: ['ada@x.org', 'ada'], isAuthority: false, namespaces: null },
      { line: 4, names: ['Bob B'], namespaces: 'git,frctl-*', validBefore: { text: '20300101' } },
      { line: 5, names: [], principals: '*@x.org', isAuthority: true },
    ]);
  });

  test.each([
    ['ada'],
    ['tools:'],
    ['  - name: build'],
    ['    run: { command: [make, all] }'],
    [`ada no-touch-required ${KEY}`],
    [`ada namespaces=frctl-approval ${KEY}`],
    [`ada namespaces="git",namespaces="frctl-approval" ${KEY}`],
    [`ada cert-authority, ${KEY}`],
    [`ada ,cert-authority ${KEY}`],
    [`ada namespaces="a\\"b" ${KEY}`],
    [`ada valid-after="20260231" ${KEY}`],
    [`ada valid-after="soon" ${KEY}`],
    ['ada ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA=='],
    [`ada ${KEY.replace('ssh-ed25519', 'ssh-rsa')}`],
    ['ada ssh-ed25519'],
    [`"ada ${KEY}`],
    [`ada"b ${KEY}`],
    [`ad\u200ba ${KEY}`],
    [`\u202eada ${KEY}`],
    [`\ufeffada ${KEY}`],
    [`ad\u0000a ${KEY}`],
  ])('is refused with a line that is not understood: %j', (line) => {
    expect(() => readSigners(`ada ${KEY}\n${line}\n`, 'approvers')).toThrow(/^approvers line 2 /);
  });

  test('has patterns, which are not names: their owner is known by the key', () => {
    const { fingerprint } = only(`ada ${KEY}`);
    for (const pattern of ['*', '*@x.org', 'a?a', '!ada,*', '!bob', 'ada,!ada', '"*,!eve"'])
      expect(only(`${pattern} ${KEY}`).names).toEqual([fingerprint]);
    expect(only(`ada,*@x.org ${KEY}`).names).toEqual(['ada']);
  });

  test.each([
    ['', null],
    ['namespaces="frctl-approval"', null],
    ['namespaces="git,frctl-*"', null],
    ['namespaces="frctl-approva?"', null],
    ['namespaces="git"', 'it is for git alone'],
    ['namespaces="*,!frctl-approval"', 'it is for *,!frctl-approval alone'],
    ['namespaces="!git,*"', null],
    ['namespaces=""', 'it is for nothing'],
    ['valid-after="20260601Z"', null],
    ['valid-after="202606011201Z"', 'it is not valid yet'],
    ['valid-before="20260601115959Z"', 'it is not valid any more'],
    ['valid-after="20250101Z",valid-before="20270101Z"', null],
  ])('counts as its options say: %s', (options, why) => {
    expect(whyNoApprover(only(`ada ${options} ${KEY}`), NOW)).toBe(why);
  });

  test('is written for ssh-keygen without a pattern that anybody may call himself by', () => {
    const list = readSigners(
      `*,!x ${KEY}\nada,b* valid-before="20300101Z" ${KEY}\n*@x.org cert-authority ${KEY}`,
      'a',
    );
    const { fingerprint } = only(`ada ${KEY}`);
    expect(signersText(list)).toBe(
      [
        `"${fingerprint}" namespaces="frctl-approval" ${KEY}\n`,
        `"ada" namespaces="frctl-approval",valid-before="20300101Z" ${KEY}\n`,
        `"*@x.org" cert-authority,namespaces="frctl-approval" ${KEY}\n`,
      ].join(''),
    );
  });

  test('is never read as something else than what it is written as', () => {
    const part = fc.constantFrom(
      'ada',
      'bob@x',
      '*',
      '!',
      ',',
      '"',
      ' ',
      '\\',
      'cert-authority',
      'namespaces="git"',
      KEY,
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        let list: ReturnType<typeof readSigners>;
        try {
          list = readSigners(parts.join(''), 'a');
        } catch {
          return;
        }
        const again = readSigners(signersText(list), 'a');
        expect(again.map(({ fingerprint, isAuthority }) => [fingerprint, isAuthority])).toEqual(
          list.map(({ fingerprint, isAuthority }) => [fingerprint, isAuthority]),
        );
      }),
    );
  });
});

describe('people', () => {
  const by = (names: readonly string[], key?: string) => ({ names, key });

  test.each([
    [[], 0],
    [[by([]), by([])], 1],
    [[by(['ada'], 'k1'), by(['bob'], 'k2')], 2],
    [[by(['ada'], 'k1'), by(['bob'], 'k1')], 1],
    [[by(['ada'], 'k1'), by(['ada'], 'k2')], 1],
    [[by(['ada'], 'k1'), by(['bob', 'ada'], 'k2')], 1],
    [[by(['ada'], 'k1'), by(['bob'], 'k2'), by(['ada'], 'k2')], 1],
    [[by(['ada'], 'k1'), by(['bob'], 'k2'), by(['eve'], 'k3'), by(['bob'], 'k3')], 2],
    [[by(['Ada@x.org'], 'k1'), by(['ada@X.org'], 'k2'), by(['ada@x.org.'], 'k3')], 1],
    // A name that is written as a key is none.
    [[by(['k2'], 'k1'), by(['bob'], 'k2')], 2],
  ])('who share a name or a key count once: %j', (all, count) => {
    expect(countPeople(all)).toBe(count);
    expect(countPeople(all.toReversed())).toBe(count);
  });

  test('are counted as they are linked, in whatever order', () => {
    const mark = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const one = fc.record({
      names: fc.array(mark, { maxLength: 2 }),
      key: fc.option(mark, { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 6 }), (all) => {
        // Merged again and again until nothing is shared.
        let groups = all.map(({ names, key }) => {
          const marks = [...names.map((name) => `n${name}`), ...(key === undefined ? [] : [`k${key}`])];
          return new Set(marks.length === 0 ? ['code'] : marks);
        });
        for (let merged = true; merged;) {
          merged = false;
          for (const [at, group] of groups.entries()) {
            const other = groups.findIndex(
              (them, index) => index > at && [...them].some((each) => group.has(each)),
            );
            if (other === -1) continue;
            for (const each of groups[other] ?? []) group.add(each);
            groups = groups.filter((_them, index) => index !== other);
            merged = true;
            break;
          }
        }
        expect(countPeople(all)).toBe(groups.length);
      }),
    );
  });
});

describe.runIf(hasKeygen())('what ssh-keygen makes of it (needs ssh-keygen)', () => {
  const signed = {
    text: 'the text',
    namespace: 'frctl-approval',
    variables: { PATH: process.env.PATH },
    folder: process.cwd(),
  };
  const whoSigned = async (key: string, list: string) =>
    signatureOf(await signWithSsh(key, signed), readSigners(list, 'approvers'), signed);

  test('a fingerprint is the one that it prints, for every type of key', () => {
    for (const key of [
      newSshKey('ed25519'),
      newSshKey('rsa', '-b', '2048'),
      ...['256', '384', '521'].map((bits) => newSshKey('ecdsa', '-b', bits)),
    ])
      expect(only(`ada ${key.text}`).fingerprint).toBe(key.fingerprint);
  });

  test('a key and its certificate are one key, whatever they are called', async () => {
    const [ada, authority] = [newSshKey(), newSshKey()];
    const certified = certify(authority, ada, 'bob');
    const list = `ada ${ada.text}\n*ob cert-authority ${authority.text}\n`;
    const [plain, byCertificate] = [await whoSigned(ada.key, list), await whoSigned(certified.key, list)];
    expect(plain).toEqual({ signer: 'ada', names: ['ada'], key: ada.fingerprint });
    expect(byCertificate).toEqual({ signer: 'bob', names: ['bob', 'ada'], key: ada.fingerprint });
    expect(countPeople([plain, byCertificate].filter((one) => one !== null))).toBe(1);
    // Without the line of the authority the certificate is nobody’s.
    expect(await whoSigned(certified.key, `ada ${ada.text}\n`)).toBeNull();
    expect(() => readSigners(`ada ${certified.text}`, 'approvers')).toThrow(/certificate/);
  });

  test('a key that is listed under several names, or by patterns, has them all, and no pattern', async () => {
    const [ada, authority] = [newSshKey(), newSshKey()];
    const list = `bob ${ada.text}\nada,ada@x,!eve ${ada.text}\nada,carol ${ada.text}\n`;
    expect(await whoSigned(ada.key, list)).toMatchObject({
      signer: 'bob',
      names: ['bob', ada.fingerprint, 'ada', 'carol'],
    });
    expect(await whoSigned(ada.key, `*@x.org,!eve@x.org ${ada.text}\n`)).toMatchObject({
      signer: ada.fingerprint,
      names: [ada.fingerprint],
    });
    // What an authority has called somebody may look like a pattern.
    const certified = certify(authority, ada, '*');
    expect(await whoSigned(certified.key, `* cert-authority ${authority.text}\n`)).toMatchObject({
      signer: ada.fingerprint,
    });
  });

  test('what is over, or for something else, counts for nothing, as does a certificate that is', async () => {
    const [ada, authority] = [newSshKey(), newSshKey()];
    for (const options of ['valid-before="20200101"', 'valid-after="20990101Z"', 'namespaces="git"']) {
      const list = readSigners(`ada ${options} ${ada.text}\n`, 'approvers');
      expect(list.filter((one) => whyNoApprover(one, Date.now()) === null)).toEqual([]);
    }
    const over = certify(authority, ada, 'ada', '-2h:-1h');
    expect(await whoSigned(over.key, `ada cert-authority ${authority.text}\n`)).toBeNull();
    const another = certify(authority, ada, 'eve');
    expect(await whoSigned(another.key, `ada cert-authority ${authority.text}\n`)).toBeNull();
  });
});

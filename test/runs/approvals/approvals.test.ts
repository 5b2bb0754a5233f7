import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  approvalCode,
  isStoredCode,
  parseApprovalCode,
  storedCode,
} from '../../../src/features/runs/model/approvals/approval-code.js';
import {
  approvalProof,
  approvalText,
  isApprovalProof,
} from '../../../src/features/runs/model/approvals/approval-proof.js';
import type { ApprovalStatement } from '../../../src/features/runs/model/approvals/approval-proof.js';
import { privateKey, readPrivateKey } from '../../../src/host/files/private-key.js';
import { readSigners } from '../../../src/features/runs/model/approvals/allowed-signers.js';
import { signatureOf, signWithSsh } from '../../../src/features/runs/operations/approving/ssh-signature.js';
import type { SignedText } from '../../../src/features/runs/operations/approving/ssh-signature.js';
import { temporaryFolder } from '../../support/folders.js';

const KEY = randomBytes(32);

describe('a code', () => {
  test('has eight characters of 40 bits, and is read back however it is typed', () => {
    expect(approvalCode(Uint8Array.of(0, 0, 0, 0, 0))).toBe('00000000');
    expect(approvalCode(Uint8Array.of(255, 255, 255, 255, 255))).toBe('ZZZZZZZZ');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 5, maxLength: 5 }), (bytes) => {
        const code = approvalCode(bytes);
        const typed = `${code.slice(0, 4)}-${code.slice(4)} `
          .toLowerCase()
          .replaceAll('0', 'o')
          .replaceAll('1', 'l');
        expect(parseApprovalCode(typed)).toBe(code);
      }),
    );
    expect(parseApprovalCode('run-k3f9x2w8')).toBeNull();
    for (const text of ['', '1234567', '123456789', 'UUUUUUUU', '0'.repeat(1e6)])
      expect(parseApprovalCode(text)).toBeNull();
  });

  test('is of one run and one scope with one key, and what is stored of it tells nothing', () => {
    const scope = { run: 'run-a', scope: 'note[3]', args_digest: 'x' };
    const stored = storedCode(KEY, 'ABCD1234', scope);
    expect(isStoredCode(KEY, 'ABCD1234', scope, stored)).toBe(true);
    expect(isStoredCode(KEY, 'ABCD1235', scope, stored)).toBe(false);
    expect(isStoredCode(randomBytes(32), 'ABCD1234', scope, stored)).toBe(false);
    for (const other of [{ run: 'run-b' }, { scope: 'run' }, { args_digest: '' }])
      expect(isStoredCode(KEY, 'ABCD1234', { ...scope, ...other }, stored)).toBe(false);
    for (const wrong of ['', 'zz', stored.slice(2), `${stored}00`, stored.toUpperCase().slice(1)])
      expect(isStoredCode(KEY, 'ABCD1234', scope, wrong)).toBe(false);
    expect(stored).not.toContain('ABCD');
  });
});

const STATEMENT: ApprovalStatement = {
  approval: 'approval-1',
  run: 'run-k3f9x2w8',
  prepared: 'c'.repeat(64),
  digest: `frctl1:${'a'.repeat(64)}`,
  tools_digest: 'b'.repeat(64),
  workspace: { id: 'w', root: '/home/me/shop' },
  scope: 'run',
  args_digest: null,
  expires_at: '2026-01-01T00:15:00.000Z',
  via: 'terminal',
};

describe('a proof', () => {
  test('is one of its statement alone: any other plan, tools, workspace, scope, time or way is another', () => {
    const proof = approvalProof(KEY, STATEMENT);
    expect(isApprovalProof(KEY, STATEMENT, proof)).toBe(true);
    const others: readonly Partial<ApprovalStatement>[] = [
      { approval: 'approval-2' },
      { run: 'run-k3f9x2w9' },
      { prepared: 'd'.repeat(64) },
      { digest: `frctl1:${'c'.repeat(64)}` },
      { tools_digest: 'c'.repeat(64) },
      { workspace: { id: 'w', root: '/home/me/other' } },
      { workspace: { id: 'v', root: '/home/me/shop' } },
      { scope: 'note[3]' },
      { args_digest: 'd' },
      { expires_at: '2027-01-01T00:15:00.000Z' },
      { via: 'ssh' },
    ];
    for (const other of others) expect(isApprovalProof(KEY, { ...STATEMENT, ...other }, proof)).toBe(false);
    expect(isApprovalProof(randomBytes(32), STATEMENT, proof)).toBe(false);
    for (const forged of ['', 'x', proof.slice(1), `${proof}0`, '0'.repeat(64)])
      expect(isApprovalProof(KEY, STATEMENT, forged)).toBe(false);
  });

  test('is of a text that says what is agreed to, member for member, and nothing that came along', () => {
    const more = { ...STATEMENT, signer: 'x', workspace: { ...STATEMENT.workspace, extra: 1 } };
    expect(approvalText(more)).toBe(approvalText(STATEMENT));
    expect(approvalText(STATEMENT)).toMatch(/^\{"approval":"approval-1","args_digest":null,/);
  });
});

describe('the key', () => {
  test('is made once, of 32 bytes that nobody else may read, however many make it at once', async () => {
    const path = join(temporaryFolder(), 'frctl', 'approval.key');
    expect(await readPrivateKey(path)).toBeNull();
    const keys = await Promise.all(Array.from({ length: 8 }, () => privateKey(path)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect([keys[0]?.length, statSync(path).mode & 0o777]).toEqual([32, 0o600]);
    expect(readFileSync(path).equals(keys[0] ?? Buffer.alloc(0))).toBe(true);
  });

  test.runIf(process.platform !== 'win32')('that others may read, or that is none, is refused', async () => {
    const path = join(temporaryFolder(), 'approval.key');
    await privateKey(path);
    chmodSync(path, 0o640);
    await expect(privateKey(path)).rejects.toMatchObject({
      code: 'REFUSED',
      hint: expect.stringContaining('chmod 600'),
    });
    chmodSync(path, 0o600);
    writeFileSync(path, 'short');
    await expect(privateKey(path)).rejects.toMatchObject({ code: 'REFUSED' });
    const broken = join(temporaryFolder(), 'approval.key');
    symlinkSync('/dev/zero', broken);
    await expect(privateKey(broken)).rejects.toMatchObject({ name: 'PlanError' });
  });
});

/** Whose a signature is, by the text of a list. */
const signerOf = async (signature: string, allowed: string, signed: SignedText) =>
  (await signatureOf(signature, readSigners(allowed, 'approvers'), signed))?.signer ?? null;

describe.runIf(hasKeygen())('a signature (needs ssh-keygen)', () => {
  const signed = (text: string) => ({
    text,
    namespace: 'frctl-approval',
    variables: { PATH: process.env.PATH },
    folder: temporaryFolder(),
  });

  function newKey(name: string): { readonly key: string; readonly allowed: string } {
    const key = join(temporaryFolder(), name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key]);
    return {
      key,
      allowed: `${name}@example.org namespaces="frctl-approval" ${readFileSync(`${key}.pub`, 'utf8')}`,
    };
  }

  test('names who of those who may has signed just this text', async () => {
    const [ada, bob] = [newKey('ada'), newKey('bob')];
    const signature = await signWithSsh(ada.key, signed('the text'));
    expect(await signerOf(signature, bob.allowed + ada.allowed, signed('the text'))).toBe('ada@example.org');
    expect(await signerOf(signature, bob.allowed + ada.allowed, signed('another text'))).toBeNull();
    expect(await signerOf(signature, bob.allowed, signed('the text'))).toBeNull();
    expect(await signerOf(signature, ada.allowed, { ...signed('the text'), namespace: 'git' })).toBeNull();
    expect(await signerOf('', ada.allowed, signed('the text'))).toBeNull();
    expect(await signerOf('x'.repeat(1e6), ada.allowed, signed('the text'))).toBeNull();
  });

  test('made for something else, or after the signer’s time, is none', async () => {
    const { key, allowed } = newKey('eve');
    const other = await signWithSsh(key, { ...signed('the text'), namespace: 'git' });
    expect(await signerOf(other, allowed, signed('the text'))).toBeNull();
    const expired = allowed.replace('namespaces', 'valid-before="20200101",namespaces');
    expect(
      await signerOf(await signWithSsh(key, signed('the text')), expired, signed('the text')),
    ).toBeNull();
  });

  test('with a key that is not there says what ssh-keygen said', async () => {
    await expect(signWithSsh('/nowhere/key', signed('x'))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('with a pipe, a device or a huge file in place of a key is refused before it is read', async () => {
    const folder = temporaryFolder();
    const [pipe, huge] = [join(folder, 'pipe'), join(folder, 'huge')];
    execFileSync('mkfifo', [pipe]);
    writeFileSync(huge, '');
    truncateSync(huge, 3e8);
    for (const key of [pipe, huge, '/dev/zero', folder])
      await expect(signWithSsh(key, { ...signed('x'), timeoutMs: 20_000 })).rejects.toThrow('no file of');
  });

  test('with an agent that never answers ends in time, and says so', async () => {
    const { key } = newKey('ada');
    const socket = join(temporaryFolder(), 'agent');
    const agent = createServer(() => undefined);
    await new Promise<void>((listening) => agent.listen(socket, listening));
    onTestFinished(() => void agent.close());
    const heard = { ...signed('x').variables, SSH_AUTH_SOCK: socket };
    await expect(
      signWithSsh(`${key}.pub`, { ...signed('x'), variables: heard, timeoutMs: 500 }),
    ).rejects.toThrow('longer than 0.5 s');
  });
});

function hasKeygen(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v ssh-keygen']);
    return true;
  } catch {
    return false;
  }
}

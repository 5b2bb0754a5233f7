import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PlanError } from '../kernel/errors.js';

/** What is signed, for what. */
export interface SignedText {
  readonly text: string;
  /** So that a signature made for something else is none for this. */
  readonly namespace: string;
  /** The environment that `ssh-keygen` runs with: an agent is found by it. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** An armoured signature is some 300 bytes; of a certificate some thousands. */
const MOST_SIGNATURE = 64 * 1024;

/**
 * Signs a text with an SSH key, as `ssh-keygen -Y sign` does: a key in a file, or a public key whose other half is in an
 * agent or on a device, which may ask for a touch.
 * @throws PlanError INVALID_INPUT when it cannot be signed, with what ssh-keygen said
 */
export async function signWithSsh(key: string, signed: SignedText): Promise<string> {
  const ended = await keygen(['-Y', 'sign', '-q', '-n', signed.namespace, '-f', key], signed);
  if (ended.status === 0 && ended.out.startsWith('-----BEGIN SSH SIGNATURE-----')) return ended.out;
  throw new PlanError(
    'INVALID_INPUT',
    `ssh-keygen did not sign with ${key}: ${ended.error.trim() || 'no reason given'}`,
    {
      hint: 'Name a private key, or a public key whose other half an agent has.',
      details: { key },
    },
  );
}

/**
 * Who of the allowed signers made the SSH signature of a text, by the name that the list gives him; null when none
 * has.
 * @param allowed the text of an allowed-signers file (see `ssh-keygen(1)`)
 * @throws PlanError INVALID_INPUT without ssh-keygen
 */
export async function signerOf(
  signature: string,
  allowed: string,
  signed: SignedText,
): Promise<string | null> {
  if (signature.length > MOST_SIGNATURE) return null;
  const folder = await mkdtemp(join(tmpdir(), 'frctl-signature-'));
  try {
    const [list, file] = [join(folder, 'allowed'), join(folder, 'signature')];
    await writeFile(list, allowed, { mode: 0o600 });
    await writeFile(file, signature, { mode: 0o600 });
    const found = await keygen(['-Y', 'find-principals', '-s', file, '-f', list], { ...signed, text: '' });
    if (found.status !== 0) return null;
    for (const name of found.out.split('\n').filter((line) => line !== '')) {
      const checked = await keygen(
        ['-Y', 'verify', '-q', '-f', list, '-I', name, '-n', signed.namespace, '-s', file],
        signed,
      );
      if (checked.status === 0) return name;
    }
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

async function keygen(args: readonly string[], { text, variables }: SignedText): Promise<Ended> {
  const child = spawn('ssh-keygen', [...args], {
    env: { ...variables, LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [out, error]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => error.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => {
      reject(
        new PlanError('INVALID_INPUT', 'ssh-keygen could not be started', {
          hint: 'Signatures need OpenSSH 8.2 or later on the PATH.',
          cause,
        }),
      );
    });
    child.once('close', resolve);
  });
  return { status, out: Buffer.concat(out).toString('utf8'), error: Buffer.concat(error).toString('utf8') };
}

import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PlanError } from '../../../../kernel/errors.js';
import { findHelper, helperPath } from '../../../../host/processes/find-helper.js';
import { runProgram } from '../../../../host/processes/run-program.js';
import { isName, signersText } from '../../model/approvals/allowed-signers.js';
import type { Signer } from '../../model/approvals/allowed-signers.js';
import { signingKeyOf } from '../../model/approvals/ssh-certificate.js';

/** What is signed, for what. */
export interface SignedText {
  readonly text: string;
  /** So that a signature made for something else is none for this. */
  readonly namespace: string;
  /** The environment that `ssh-keygen` runs with: an agent is found by it. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where the user works: an `ssh-keygen` that lies in the working tree around it is not the user's. */
  readonly folder: string;
  /** Milliseconds that signing may take, with a passphrase that is typed or a device that is touched; two minutes. */
  readonly timeoutMs?: number;
}

/** A key is some thousand bytes. */
const MOST_KEY = 64 * 1024;
const SIGN_MS = 120_000;
/** An armoured signature is some 300 bytes; of a certificate some thousands. */
const MOST_SIGNATURE = 64 * 1024;
/** Bytes of what ssh-keygen says that are kept. */
const MOST_SAID = 64 * 1024;
/** How long its output is waited for once it has ended, in milliseconds. */
const LINGER_MS = 2000;

/**
 * Signs a text with an SSH key, as `ssh-keygen -Y sign` does: a key in a file, or a public key whose other half is in an
 * agent or on a device, which may ask for a touch.
 * @throws PlanError INVALID_INPUT when it cannot be signed, with what ssh-keygen said
 */
export async function signWithSsh(key: string, signed: SignedText): Promise<string> {
  // Of a pipe or a device ssh-keygen would read for ever.
  const file = await stat(key).catch(() => null);
  if (file !== null && (!file.isFile() || file.size > MOST_KEY))
    throw notSigned(key, `it is no file of at most ${MOST_KEY / 1024} kB`);
  const timeoutMs = signed.timeoutMs ?? SIGN_MS;
  const ended = await keygen(['-Y', 'sign', '-q', '-n', signed.namespace, '-f', key], {
    ...signed,
    timeoutMs,
  });
  if (ended.status === 0 && ended.out.startsWith('-----BEGIN SSH SIGNATURE-----')) return ended.out;
  if (ended.kind === 'timed_out')
    throw notSigned(key, `it took longer than ${timeoutMs / 1000} s, as with an agent that does not answer`);
  throw notSigned(key, ended.error.trim() || 'no reason given');
}

function notSigned(key: string, why: string): PlanError {
  return new PlanError('INVALID_INPUT', `ssh-keygen did not sign with ${key}: ${why}`, {
    hint: ['Name a private key, or a public key whose other half an agent has.'],
    details: { key },
  });
}

/** Who has made a signature. */
export interface Signature {
  /** His name in the list; his fingerprint where the list has a pattern in place of one. */
  readonly signer: string;
  /** Every name that the list has for the key, or the certificate for whoever has it, and `signer`. */
  readonly names: readonly string[];
  /** The fingerprint of the key, the same whether it signs by itself or by a certificate. */
  readonly key: string;
}

/**
 * Finds out who made the SSH signature of a text; null when it was none of the signers, or by a certificate with
 * conditions (“critical options”), which hold for a login and cannot be looked at here.
 * @param signers those whose signatures count now
 * @throws PlanError INVALID_INPUT without ssh-keygen
 */
export async function signatureOf(
  armored: string,
  signers: readonly Signer[],
  signed: SignedText,
): Promise<Signature | null> {
  const made = armored.length > MOST_SIGNATURE ? null : signingKeyOf(armored);
  if (made === null || made.hasConditions) return null;
  const folder = await mkdtemp(join(tmpdir(), 'frctl-signature-'));
  try {
    const [list, file] = [join(folder, 'allowed'), join(folder, 'signature')];
    await writeFile(list, signersText(signers), { mode: 0o600 });
    await writeFile(file, made.armored, { mode: 0o600 });
    const found = await keygen(['-Y', 'find-principals', '-s', file, '-f', list], { ...signed, text: '' });
    if (found.status !== 0) return null;
    for (const name of found.out.split('\n').filter((line) => line !== '')) {
      const args = ['-Y', 'verify', '-f', list, '-I', name, '-n', signed.namespace, '-s', file];
      const { status, out } = await keygen(args, signed);
      const [, key] = VERIFIED.exec(out) ?? [];
      if (status === 0 && key !== undefined) return signedBy(name, key, signers, made.principals ?? []);
    }
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What ssh-keygen says of a good signature ends with its key; of a certificate it is the key that was certified. */
const VERIFIED = / key (SHA256:[A-Za-z0-9+/]{43})\n$/;

function signedBy(
  found: string,
  key: string,
  signers: readonly Signer[],
  certified: readonly string[],
): Signature {
  // The name in a certificate is its authority's, and may look like a pattern.
  const signer = isName(found) ? found : key;
  const listed = signers.flatMap(({ fingerprint, names }) => (fingerprint === key ? names : []));
  return { signer, names: [...new Set([signer, ...certified.filter(isName), ...listed])], key };
}

interface Ended {
  readonly kind: string;
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

/** What of a user's variables ssh-keygen hears: his time zone, where an agent is, and how a passphrase or a touch is asked for. */
const HEARD =
  /^(?:HOME|USER|LOGNAME|TERM|TMPDIR|TZ|SystemRoot|SSH_(?:AUTH_SOCK|ASKPASS|ASKPASS_REQUIRE|SK_PROVIDER)|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS)$/i;

async function keygen(
  args: readonly string[],
  { text, variables, folder, timeoutMs }: SignedText,
): Promise<Ended> {
  const search = { variables, folder };
  const program = findHelper('ssh-keygen', search);
  if (program === null) throw noKeygen(undefined);
  const ended = await runProgram({
    argv: [program, ...args],
    variables: {
      ...Object.fromEntries(Object.entries(variables).filter(([name]) => HEARD.test(name))),
      PATH: helperPath(search),
      LC_ALL: 'C',
    },
    input: text,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    // It asks for the passphrase of a key on the terminal.
    group: 'ours',
    most: { out: MOST_SIGNATURE, error: MOST_SAID },
    lingerMs: { beforeKill: LINGER_MS, afterKill: 0 },
  });
  if (ended.kind === 'not_started') throw noKeygen(ended.cause);
  const { kind, status, out, error } = ended;
  return { kind, status, out: out.bytes.toString('utf8'), error: error.bytes.toString('utf8') };
}

function noKeygen(cause: unknown): PlanError {
  return new PlanError('INVALID_INPUT', 'ssh-keygen could not be started', {
    hint: ['Signatures need OpenSSH 8.2 or later on the PATH.'],
    cause,
  });
}

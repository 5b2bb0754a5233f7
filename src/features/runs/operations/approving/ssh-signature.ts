import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PlanError } from '../../../../kernel/errors.js';
import { workingTreeOf } from '../../../../host/git/git-folder.js';
import { findHelper, helperPath } from '../../../../host/processes/find-helper.js';
import { runProgram } from '../../../../host/processes/run-program.js';

/** What is signed, for what. */
export interface SignedText {
  readonly text: string;
  /** So that a signature made for something else is none for this. */
  readonly namespace: string;
  /** The environment that `ssh-keygen` runs with: an agent is found by it. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where the user works: an `ssh-keygen` that lies in the working tree around it is not the user's. */
  readonly folder: string;
}

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
  const ended = await keygen(['-Y', 'sign', '-q', '-n', signed.namespace, '-f', key], signed);
  if (ended.status === 0 && ended.out.startsWith('-----BEGIN SSH SIGNATURE-----')) return ended.out;
  throw new PlanError(
    'INVALID_INPUT',
    `ssh-keygen did not sign with ${key}: ${ended.error.trim() || 'no reason given'}`,
    {
      hint: ['Name a private key, or a public key whose other half an agent has.'],
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

/** What of a user's variables ssh-keygen hears: where an agent is, and how a passphrase or a touch is asked for. */
const HEARD =
  /^(?:HOME|USER|LOGNAME|TERM|TMPDIR|SystemRoot|SSH_(?:AUTH_SOCK|ASKPASS|ASKPASS_REQUIRE|SK_PROVIDER)|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS)$/i;

async function keygen(args: readonly string[], { text, variables, folder }: SignedText): Promise<Ended> {
  const search = { variables, folder: workingTreeOf(folder)?.top ?? folder };
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
    // It asks for the passphrase of a key on the terminal.
    group: 'ours',
    most: { out: MOST_SIGNATURE, error: MOST_SAID },
    lingerMs: { beforeKill: LINGER_MS, afterKill: 0 },
  });
  if (ended.kind === 'not_started') throw noKeygen(ended.cause);
  const { status, out, error } = ended;
  return { status, out: out.bytes.toString('utf8'), error: error.bytes.toString('utf8') };
}

function noKeygen(cause: unknown): PlanError {
  return new PlanError('INVALID_INPUT', 'ssh-keygen could not be started', {
    hint: ['Signatures need OpenSSH 8.2 or later on the PATH.'],
    cause,
  });
}

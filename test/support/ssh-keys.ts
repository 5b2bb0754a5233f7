import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from './folders.js';

/** A key of SSH in files of its own. */
export interface SshKey {
  /** The file of the private key. */
  readonly key: string;
  /** Its type and Base64, as a list of signers has them. */
  readonly text: string;
  /** As `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
}

/** Makes a key with ssh-keygen. */
export function newSshKey(type = 'ed25519', ...options: readonly string[]): SshKey {
  const key = join(temporaryFolder(), 'key');
  execFileSync('ssh-keygen', ['-q', '-t', type, ...options, '-N', '', '-C', 'of a test', '-f', key]);
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-lf', `${key}.pub`], { encoding: 'utf8' }).split(
    ' ',
  );
  const text = readFileSync(`${key}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
  return { key, text, fingerprint };
}

/** Certifies a key for some names, or for none. @returns what signs with the certificate, and the certificate as a list would have it */
export function certify(
  authority: SshKey,
  { key }: SshKey,
  names: string,
  validity = '-1h:+1h',
  options: readonly string[] = [],
) {
  execFileSync('ssh-keygen', [
    '-q',
    '-s',
    authority.key,
    '-I',
    'id',
    ...(names === '' ? [] : ['-n', names]),
    '-V',
    validity,
    ...options,
    `${key}.pub`,
  ]);
  const certificate = `${key}-cert.pub`;
  return { key: certificate, text: readFileSync(certificate, 'utf8').split(' ').slice(0, 2).join(' ') };
}

/** Whether ssh-keygen is there. */
export function hasKeygen(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v ssh-keygen']);
    return true;
  } catch {
    return false;
  }
}

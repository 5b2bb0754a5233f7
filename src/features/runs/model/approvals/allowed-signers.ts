import { PlanError } from '../../../../kernel/errors.js';
import { sha256 } from '../../../../kernel/sha256.js';
import { legibleJson, oneLine } from '../../../../kernel/text/safe-text.js';
import type { Agreeing } from './count-people.js';
import { fieldsIn, KEY_FIELDS } from './key-fields.js';
import { keyOptionsOf } from './key-options.js';
import type { KeyOptions } from './key-options.js';

/** For what an approval is signed, so that no signature of anything else is one. */
export const APPROVAL_NAMESPACE = 'frctl-approval';

/** One line of an allowed-signers file: a key, whose it is, and for what and how long it counts. */
export interface Signer extends KeyOptions {
  /** Its number, from 1. */
  readonly line: number;
  /** As the list has them: for a certificate authority patterns of those whom it may certify. */
  readonly principals: string;
  /**
   * What its owner is called: the names of the list or, where it has none, the fingerprint, for a pattern is not a
   * name. Empty for a certificate authority, whose certificates have the names.
   */
  readonly names: readonly string[];
  readonly keyType: string;
  /** Base64. */
  readonly key: string;
  /** As `ssh-keygen -l` prints it, which is the same for each certificate of the key: `SHA256:…`. */
  readonly fingerprint: string;
}

const PRINCIPALS = /^[ \t]*(?:"([^"]*)"|([^\s"]+))[ \t]+([^]*)$/;
const OPTIONS = /^((?:[^\s"]|"[^"]*")+)[ \t]+([^]*)$/;
const KEY = /^(\S+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:\s|$)/;

/**
 * The signers of an allowed-signers file (`ssh-keygen(1)`). What is shown, counted and given to ssh-keygen is what was
 * read here, so a line that is not understood is refused and not passed over.
 * @param name of the file, for messages
 * @throws PlanError INVALID_INPUT naming file and line
 */
export function readSigners(text: string, name: string): readonly Signer[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (/^[ \t]*(?:#|$)/.test(line)) return [];
    const read = signerOfLine(line, index + 1);
    if (typeof read !== 'string') return [read];
    throw new PlanError('INVALID_INPUT', `${name} line ${index + 1} ${read}`, {
      hint: ['A line is `name key-type key`, as in `ssh-keygen(1)` under ALLOWED SIGNERS.'],
      details: { file: name, line: index + 1 },
    });
  });
}

/** One signer, or what is wrong with the line. */
function signerOfLine(text: string, line: number): Signer | string {
  const [, quoted, bare, rest = ''] = PRINCIPALS.exec(text) ?? [];
  const principals = quoted ?? bare ?? '';
  if (principals === '') return 'names no signer';
  if (!isLegible(principals)) return 'has a name with characters that cannot be seen';
  const [first = ''] = rest.split(/\s/, 1);
  if (first.includes('-cert-v01@')) return 'lists a certificate; list its key, or that of its authority';
  const [, before, behind = ''] = KEY_FIELDS.has(first) ? ['', '', rest] : (OPTIONS.exec(rest) ?? []);
  if (before === undefined) return 'has no key';
  const options = keyOptionsOf(before);
  if (typeof options === 'string') return options;
  const [, keyType = '', key = ''] = KEY.exec(behind) ?? [];
  const blob = Buffer.from(key, 'base64');
  if (!isKey(keyType, blob)) return 'has no key that can be read';
  const fingerprint = fingerprintOf(blob);
  return {
    line,
    principals,
    names: options.isAuthority ? [] : namesIn(principals, fingerprint),
    keyType,
    key: blob.toString('base64'),
    fingerprint,
    ...options,
  };
}

/**
 * The names in a list of principals, where none is struck out by a negation; the fingerprint stands for whoever has no
 * name.
 */
function namesIn(principals: string, fingerprint: string): readonly string[] {
  const parts = principals.split(',');
  const names = parts.some((part) => part.startsWith('!')) ? [] : parts.filter(isName);
  return names.length === 0 ? [fingerprint] : [...new Set(names)];
}

/** Whether a principal is a name, and no pattern of names. */
export function isName(principal: string): boolean {
  return principal !== '' && !/^!|[*?"]/.test(principal) && isLegible(principal);
}

/** Whether a text is seen as it is. */
function isLegible(text: string): boolean {
  return oneLine(text) === text && legibleJson(text) === text;
}

/** Whether bytes are fields of SSH's wire format, each behind its length: as many as the type has, itself the first. */
function isKey(keyType: string, blob: Buffer): boolean {
  const fields = fieldsIn(blob);
  return fields?.[0]?.toString('latin1') === keyType && fields.length === KEY_FIELDS.get(keyType);
}

function fingerprintOf(blob: Buffer): string {
  return `SHA256:${Buffer.from(sha256(blob), 'hex').toString('base64').replaceAll('=', '')}`;
}

/**
 * Signers as an allowed-signers file that says just what was read of them, for ssh-keygen: each by one name, and no
 * pattern is left but that of a certificate authority.
 */
export function signersText(signers: readonly Signer[]): string {
  return signers
    .map(({ principals, names, isAuthority, validAfter, validBefore, keyType, key }) => {
      const options = [
        ...(isAuthority ? ['cert-authority'] : []),
        `namespaces="${APPROVAL_NAMESPACE}"`,
        ...(validAfter === null ? [] : [`valid-after="${validAfter.text}"`]),
        ...(validBefore === null ? [] : [`valid-before="${validBefore.text}"`]),
      ];
      return `"${names[0] ?? principals}" ${options.join(',')} ${keyType} ${key}\n`;
    })
    .join('');
}

/** Returns what the lines of a list tell of who is who, also those that do not count now. */
export function peopleOf(signers: readonly Signer[]): readonly Agreeing[] {
  return signers.map(({ names, fingerprint }) => ({ names, key: fingerprint }));
}

/**
 * Why a signature of a signer counts for no approval; null where it does.
 * @param now milliseconds since 1970
 */
export function whyNoApprover({ namespaces, validAfter, validBefore }: Signer, now: number): string | null {
  if (namespaces !== null && !isNamespaceIn(namespaces))
    return `it is for ${namespaces === '' ? 'nothing' : `${namespaces} alone`}`;
  if (validAfter !== null && now < validAfter.at) return 'it is not valid yet';
  return validBefore !== null && now > validBefore.at ? 'it is not valid any more' : null;
}

/** Whether a list of patterns has the namespace of approvals: as in ssh_config(5), where a `!` before one that fits says no. */
function isNamespaceIn(patterns: string): boolean {
  const parts = patterns.split(',');
  const barred = parts.flatMap((part) => (part.startsWith('!') ? [part.slice(1)] : []));
  return parts.some(isMatch) && !barred.some(isMatch);
}

/** Whether the namespace fits a pattern in which `*` stands for any characters and `?` for one. */
function isMatch(pattern: string): boolean {
  const text = APPROVAL_NAMESPACE;
  // Which beginnings of the text fit what was read of the pattern.
  let fits = Array.from({ length: text.length + 1 }, (_one, index) => index === 0);
  for (const sign of pattern) {
    const first = fits.indexOf(true);
    if (first === -1) return false;
    fits = fits.map((_one, index) =>
      sign === '*'
        ? index >= first
        : index > 0 && fits[index - 1] === true && (sign === '?' || text[index - 1] === sign),
    );
  }
  return fits.at(-1) === true;
}

import { PlanError } from '../../kernel/errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would grow beyond the size that is allowed',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the device reported an error',
  ENOENT: 'it does not exist any more',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link, or one too many',
  ENAMETOOLONG: 'the name, or the whole path, is longer than the file system takes',
};

/** Turns what the operating system refused into an error that names the path and the reason. */
export function storageError(action: string, path: string, cause: unknown): PlanError {
  if (cause instanceof PlanError) return cause;
  const code = errorCode(cause);
  const reason =
    (code === null ? undefined : REASONS[code]) ??
    (cause instanceof Error ? withoutPath(cause.message) : String(cause));
  return new PlanError('STORAGE_FAILED', `cannot ${action} ${path}: ${reason}`, {
    hint: { commandLine: 'What was acknowledged before is kept. Mend the cause and run the command again.' },
    details: { path, ...(code === null ? {} : { reason: code }) },
    cause,
  });
}

/** Reasons for which every other file would be refused too. */
const OF_ALL_FILES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE']);

/** Whether an error is about one file alone, such as a folder in its place, so that others can be looked at still. */
export function isOfOneFile(thrown: unknown): thrown is PlanError {
  return (
    thrown instanceof PlanError &&
    thrown.code === 'STORAGE_FAILED' &&
    !OF_ALL_FILES.has(thrown.details.reason)
  );
}

/**
 * The error for a change that was written, of which the system does not say whether it is kept: to make it again
 * could be to make it twice.
 */
export function unsureError(path: string, cause: unknown): PlanError {
  const { message, details } = storageError('be sure of what was appended to', path, cause);
  return new PlanError('STORAGE_FAILED', message, {
    hint: { commandLine: 'The change may have been made. Look with `plan log` before you make it again.' },
    details,
    cause,
  });
}

/** The same error where a change had been written, and was on the disk, before something else went wrong. */
export function afterWriting(thrown: unknown): unknown {
  if (!(thrown instanceof PlanError)) return thrown;
  const { code, message, details, hint } = thrown;
  const more = code === 'STORAGE_FAILED' || hint === undefined ? '' : ` ${hint}`;
  return new PlanError(code, message, {
    hint: {
      commandLine: `The change was written before that. Look with \`plan log\` before you make it again.${more}`,
    },
    details,
    cause: thrown,
  });
}

/**
 * The error for what the operating system refused where nobody expected it, such as a file of this program that could
 * not be loaded because too many files are open; null for anything else.
 */
export function refusedBySystem(thrown: unknown): PlanError | null {
  const code = errorCode(thrown);
  const reason = code === null ? undefined : REASONS[code];
  if (thrown instanceof PlanError || reason === undefined) return null;
  const isLimit = code === 'EMFILE' || code === 'ENFILE';
  const path = thrown instanceof Error && 'path' in thrown ? thrown.path : undefined;
  const at = typeof path === 'string' ? ` at ${path}` : '';
  return new PlanError('STORAGE_FAILED', `the system refused to go on${at}: ${reason}`, {
    hint: {
      commandLine: isLimit
        ? 'Raise the limit (`ulimit -n`) or end other programs. `plan log` shows whether a change was made.'
        : 'What was acknowledged before is kept. `plan log` shows whether a change was made.',
    },
    details: { ...(at === '' ? {} : { path }), reason: code },
    cause: thrown,
  });
}

/** Without what the system was given as the path, which is another than the user's (`EBUSY: resource busy, unlink '…'`). */
function withoutPath(message: string): string {
  return message.replace(/, \w+ '.*$/s, '');
}

/** The system's code of an error (`ENOENT`), or null. */
export function errorCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

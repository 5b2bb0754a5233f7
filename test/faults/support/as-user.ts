import process from 'node:process';

/** Whether files can be used here as another user: for root alone, in a process and not in a thread of one. */
export const IS_ROOT = process.getuid?.() === 0;

/** Who uses files, and what the rights of new files are without. */
interface Who {
  readonly uid: number;
  /** The group, where that is not the user's own. */
  readonly gid?: number;
  readonly umask?: number;
}

/** Does something in this process with the rights of another user on every file, without starting one as that user. */
export async function asUser<T>({ uid, gid = uid, umask }: Who, act: () => Promise<T>): Promise<T> {
  const groups = process.getgroups?.() ?? [];
  const before = process.umask();
  process.setgroups?.([]);
  process.setegid?.(gid);
  process.umask(umask ?? before);
  process.seteuid?.(uid);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
    process.umask(before);
  }
}

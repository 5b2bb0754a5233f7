import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file: what processes see of it, and what the disk is sure to have. */
interface Inode {
  readonly isFolder: boolean;
  seen: Buffer;
  synced: Buffer;
}

/** A change of names in a folder that the disk may not have yet. */
interface NameChange {
  readonly folder: string;
  readonly apply: (names: Map<string, Inode>) => void;
}

/** Files by path: what there was at a moment, on what the disk may have had of it. */
export type Snapshot = ReadonlyMap<string, { readonly content: Buffer | null; readonly inode: object }>;

interface Moment {
  /** The system call after which the power goes. */
  readonly call: string;
  /** Which of the commands had said that they were done, by their places among the recordings. */
  readonly told: ReadonlySet<number>;
  readonly snapshots: readonly { readonly name: string; readonly files: Snapshot }[];
}

const TRACED =
  'open,openat,write,pwrite64,writev,rename,renameat,renameat2,link,linkat,unlink,unlinkat,fsync,fdatasync,ftruncate,mkdir';

/** The arguments of a program that starts another and notes, with its data, each call that changes files. */
export function recordedTo(trace: string): readonly string[] {
  return ['strace', '-f', '-y', '-ttt', '-xx', '-s', '10000000', '-o', trace, '-e', `trace=${TRACED}`];
}

/**
 * What the disk can hold when the power goes after each call that changed something below a folder. Nothing is taken
 * for granted: data is on the disk once its file was synced, a name once its folder was, and what was not synced may
 * be there or not, names before data, data before names, or half.
 * @param traces of one command, or of several that ran at once
 * @param before the folder as it was, which is taken to be on the disk
 */
export function momentsOf(traces: readonly string[], folder: string, before: Snapshot): readonly Moment[] {
  const machine = startMachine(folder, before);
  const moments: Moment[] = [];
  const told = new Set<number>();
  const calls = traces.flatMap((trace, process) => callsOf(trace, process));
  for (const { process, line } of calls.toSorted((a, b) => a.begin - b.begin)) {
    if (line.startsWith('write(1<') && !line.endsWith('= 0')) told.add(process);
    if (machine.run(line, process))
      moments.push({
        call: `${process} ${readable(line)}`,
        told: new Set(told),
        snapshots: machine.snapshots(),
      });
  }
  moments.push({ call: 'the end', told, snapshots: machine.snapshots() });
  return moments;
}

/** A folder as it is now. */
export function takeSnapshot(folder: string): Snapshot {
  const inodes = new Map<number, Inode>();
  const files = new Map<string, { content: Buffer | null; inode: object }>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const found = lstatSync(path);
    const content = found.isDirectory() ? null : readFileSync(path);
    const inode = inodes.get(found.ino) ?? {
      isFolder: content === null,
      seen: content ?? Buffer.of(),
      synced: content ?? Buffer.of(),
    };
    inodes.set(found.ino, inode);
    files.set(path, { content, inode });
  }
  return files;
}

/** Makes a folder of a snapshot. What had two names has two, and those that name an inode name the new one. */
export function restoreSnapshot(files: Snapshot, from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const made = new Map<object, string>();
  const paths = [...files.keys()].toSorted(
    (a, b) => Number(isLinkName(a)) - Number(isLinkName(b)) || (a < b ? -1 : 1),
  );
  for (const path of paths) {
    const { content, inode } = files.get(path) ?? { content: null, inode: {} };
    const target = join(to, path.slice(from.length));
    mkdirSync(content === null ? target : dirname(target), { recursive: true });
    if (content === null) continue;
    const first = made.get(inode);
    if (first === undefined) writeFileSync(target, content);
    else linkSync(first, isLinkName(path) ? join(dirname(target), `${statSync(first).ino}.jsonl`) : target);
    made.set(inode, first ?? target);
  }
}

const isLinkName = (path: string) => /\/journal\/[0-9a-f]{8}\/\d+\.jsonl$/.test(path);

interface Call {
  readonly process: number;
  /** When it began, in seconds. What a call brought about is seen by no call that began before it. */
  readonly begin: number;
  readonly line: string;
}

/** The calls of a trace, each in one piece: what another thread did meanwhile stands between the parts of one. */
function callsOf(trace: string, process: number): readonly Call[] {
  const open = new Map<string, Omit<Call, 'process'>>();
  return readFileSync(trace, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, thread = '', time = '', call = ''] = /^(\d+) +(\d+\.\d+) (.*)$/.exec(line) ?? [];
      const begun = /^(.*) <unfinished \.\.\.>$/.exec(call)?.[1];
      if (begun !== undefined) open.set(thread, { begin: Number(time), line: begun });
      if (begun !== undefined || call === '') return [];
      const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(call)?.[1];
      const before = open.get(thread);
      return rest === undefined || before === undefined
        ? [{ process, begin: Number(time), line: call }]
        : [{ process, begin: before.begin, line: `${before.line}${rest}` }];
    });
}

function startMachine(folder: string, before: Snapshot) {
  const names = new Map<string, Inode>();
  for (const [path, { inode }] of before) names.set(path, inode as Inode);
  const synced = new Map(names);
  const handles = new Map<
    string,
    { readonly path: string; readonly inode: Inode | undefined; isAppending: boolean; place: number }
  >();
  let changes: NameChange[] = [];

  const realPath = (path: string, process: number) => {
    const [, handle = '', rest = ''] = /^\/proc\/self\/fd\/(\d+)(.*)$/.exec(path) ?? [];
    return handle === '' ? path : `${handles.get(`${process} ${handle}`)?.path ?? ''}${rest}`;
  };
  const change = (path: string, apply: NameChange['apply']) => {
    apply(names);
    changes.push({ folder: dirname(path), apply });
  };
  const isInside = (path: string) => path === folder || path.startsWith(`${folder}/`);

  function opened(flags: string, handle: string, path: string): boolean {
    const existing = names.get(path);
    const isNew = existing === undefined && flags.includes('O_CREAT') && isInside(path);
    const inode = isNew ? { isFolder: false, seen: Buffer.of(), synced: Buffer.of() } : existing;
    handles.set(handle, { path, inode, isAppending: flags.includes('O_APPEND'), place: 0 });
    if (isNew && inode !== undefined) change(path, (map) => map.set(path, inode));
    if (!isNew && inode !== undefined && flags.includes('O_TRUNC')) inode.seen = Buffer.of();
    return isNew || (inode !== undefined && flags.includes('O_TRUNC'));
  }

  function written(handle: string, bytes: Buffer): boolean {
    const file = handles.get(handle);
    if (file?.inode === undefined || !isInside(file.path)) return false;
    const at = file.isAppending ? file.inode.seen.length : file.place;
    file.inode.seen = Buffer.concat([
      file.inode.seen.subarray(0, at),
      bytes,
      file.inode.seen.subarray(at + bytes.length),
    ]);
    file.place = at + bytes.length;
    return true;
  }

  function truncated(handle: string, length: number): boolean {
    const file = handles.get(handle);
    if (file?.inode === undefined || !isInside(file.path)) return false;
    file.inode.seen = file.inode.seen.subarray(0, length);
    return true;
  }

  function flushed(handle: string): boolean {
    const file = handles.get(handle);
    if (file === undefined || !isInside(file.path)) return false;
    if (file.inode !== undefined && !file.inode.isFolder) file.inode.synced = file.inode.seen;
    else {
      for (const one of changes) if (one.folder === file.path) one.apply(synced);
      changes = changes.filter((one) => one.folder !== file.path);
    }
    return true;
  }

  function renamed(kind: string, from: string, to: string): boolean {
    const inode = names.get(from);
    if (inode === undefined || !isInside(to)) return false;
    change(to, (map) => {
      map.set(to, inode);
      if (kind !== 'link') map.delete(from);
    });
    return true;
  }

  /** Does what a call did. @returns whether that changed something below the folder */
  function run(line: string, process: number): boolean {
    const [, name = '', rest = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+)/.exec(line) ?? [];
    if (name === '' || result.startsWith('-')) return false;
    const texts = [...rest.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text = '']) => bytesOf(text));
    const paths = texts.map((text) => realPath(text.toString('utf8'), process));
    // Each process has handles of its own.
    const handle = `${process} ${/^(\d+)</.exec(rest)?.[1] ?? ''}`;
    if (name.startsWith('open')) {
      const path = /= \d+<((?:\\x[0-9a-f]{2})*)>/.exec(line)?.[1] ?? '';
      return opened(rest, `${process} ${result}`, bytesOf(path).toString('utf8'));
    }
    if (name === 'write') return written(handle, (texts[0] ?? Buffer.of()).subarray(0, Number(result)));
    if (name === 'fsync' || name === 'fdatasync') return flushed(handle);
    if (name === 'ftruncate') return truncated(handle, Number(/, (\d+)$/.exec(rest)?.[1] ?? 0));
    if (name.startsWith('rename') || name.startsWith('link'))
      return renamed(name.startsWith('link') ? 'link' : 'rename', paths[0] ?? '', paths[1] ?? '');
    if (name.startsWith('unlink')) {
      const path = paths[0] ?? '';
      if (!names.has(path)) return false;
      change(path, (map) => map.delete(path));
      return true;
    }
    if (name === 'mkdir' && isInside(paths[0] ?? '')) {
      const path = paths[0] ?? '';
      const inode = { isFolder: true, seen: Buffer.of(), synced: Buffer.of() };
      change(path, (map) => map.set(path, inode));
      return true;
    }
    if (isInside(handles.get(handle)?.path ?? ''))
      throw new Error(`this call is not known: ${line.slice(0, 80)}`);
    return false;
  }

  function snapshots() {
    const half = ({ seen, synced: sure }: Inode) =>
      seen.subarray(0, sure.length).equals(sure)
        ? seen.subarray(0, sure.length + Math.floor((seen.length - sure.length) / 2))
        : seen;
    const some = new Map(synced);
    for (const one of changes.slice(0, Math.ceil(changes.length / 2))) one.apply(some);
    return [
      { name: 'what was synced alone', files: filesOf(synced, (file) => file.synced) },
      { name: 'names, without data that was not synced', files: filesOf(names, (file) => file.synced) },
      { name: 'data, without names that were not synced', files: filesOf(synced, (file) => file.seen) },
      { name: 'half of either', files: filesOf(some, half) },
      { name: 'names, with half of the data', files: filesOf(names, half) },
      { name: 'everything', files: filesOf(names, (file) => file.seen) },
    ];
  }

  return { run, snapshots };
}

function filesOf(names: ReadonlyMap<string, Inode>, dataOf: (inode: Inode) => Buffer): Snapshot {
  return new Map(
    [...names].map(([path, inode]) => [path, { content: inode.isFolder ? null : dataOf(inode), inode }]),
  );
}

/** A call as people read it, cut short. */
function readable(line: string): string {
  return line
    .replaceAll(/(?:\\x[0-9a-f]{2})+/g, (text) => bytesOf(text).toString('utf8').slice(0, 80))
    .slice(0, 200);
}

function bytesOf(escaped: string): Buffer {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Bytes of a reply, and of what is said on standard error, that are kept. */
const MOST_REPLY = 4 * 1024 * 1024;
const MOST_SAID = 4096;
/** Bytes of what was written last that are kept. */
const MOST_LAST = 1024;
/** How long a command may take to end once it is asked to. */
const GRACE_MS = 2000;
/** How long output of a command that has ended is waited for; what it left behind may hold its pipes open. */
const LINGER_MS = 300;

export interface CommandCall {
  readonly argv: readonly string[];
  /** What it reads. */
  readonly input: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How a command ended. */
export type CommandEnd =
  | { readonly kind: 'ended'; readonly status: number; readonly out: string; readonly said: string }
  /** `last`: what it wrote last, on either output, such as that it waits for somebody to sign in. */
  | { readonly kind: 'timeout'; readonly last: string }
  | { readonly kind: 'too_much' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not_started'; readonly reason: string };

/**
 * Runs a command without a shell, in a process group of its own, and gives what it wrote. Whatever becomes of it, nothing
 * of the group is left: it is asked to end, and made to two seconds later. Never throws.
 */
export function runCommand(call: CommandCall): Promise<CommandEnd> {
  const [program = '', ...args] = call.argv;
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(program, args, {
        cwd: call.folder,
        env: { ...call.variables },
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    } catch (thrown) {
      resolve({ kind: 'not_started', reason: thrown instanceof Error ? thrown.message : String(thrown) });
      return;
    }
    watch(child, call, resolve);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input);
  });
}

function watch(
  child: ChildProcess,
  { timeoutMs, signal }: CommandCall,
  resolve: (end: CommandEnd) => void,
): void {
  const out = collector(MOST_REPLY);
  const said = collector(MOST_SAID);
  let last = Buffer.alloc(0);
  const keepLast = (part: Buffer): void => {
    last = Buffer.concat([last, part.subarray(-MOST_LAST)]).subarray(-MOST_LAST);
  };
  let stopped: CommandEnd | null = null;
  let killing: NodeJS.Timeout | undefined;
  const stop = (why: CommandEnd): void => {
    if (stopped !== null) return;
    stopped = why;
    killGroup(child, 'SIGTERM');
    killing = setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS);
  };
  const timer = setTimeout(() => stop({ kind: 'timeout', last: last.toString().trim() }), timeoutMs);
  const onAbort = (): void => stop({ kind: 'aborted' });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  child.stdout?.on('data', (part: Buffer) => {
    keepLast(part);
    if (!out.add(part)) stop({ kind: 'too_much' });
  });
  child.stderr?.on('data', (part: Buffer) => {
    keepLast(part);
    said.add(part);
  });
  const end = (result: CommandEnd): void => {
    clearTimeout(timer);
    clearTimeout(killing);
    signal.removeEventListener('abort', onAbort);
    // What the command has started and left behind.
    killGroup(child, 'SIGKILL');
    child.stdout?.destroy();
    child.stderr?.destroy();
    resolve(stopped ?? result);
  };
  child.on('error', (error) => end({ kind: 'not_started', reason: error.message }));
  child.on('exit', (code) => {
    const finish = (): void =>
      end({ kind: 'ended', status: code ?? 1, out: out.text(), said: said.text().trim() });
    const linger = setTimeout(finish, LINGER_MS);
    child.on('close', () => {
      clearTimeout(linger);
      finish();
    });
  });
}

/** Keeps so many first bytes; says whether all of it had room. */
function collector(most: number) {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add(part: Buffer): boolean {
      if (size < most) parts.push(part.subarray(0, most - size));
      size += part.length;
      return size <= most;
    },
    text: (): string => Buffer.concat(parts).toString('utf8'),
  };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

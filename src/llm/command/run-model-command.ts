import { messageOf } from '../../kernel/errors.js';
import { runProgram } from '../../host/processes/run-program.js';

/** Bytes of a reply, and of what is said on standard error, that are kept. */
const MOST_REPLY = 4 * 1024 * 1024;
const MOST_SAID = 4096;
/** Bytes of what was written last that are kept. */
const MOST_LAST = 1024;
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
 * Runs the command of a model without a shell, in a process group of its own, and gives what it wrote. Whatever becomes of it, nothing
 * of the group is left: it is asked to end, and made to two seconds later. Never throws.
 */
export async function runModelCommand(call: CommandCall): Promise<CommandEnd> {
  let last = Buffer.alloc(0);
  const end = await runProgram({
    ...call,
    group: 'own',
    most: { out: MOST_REPLY, error: MOST_SAID },
    isWholeNeeded: true,
    onOutput(part) {
      last = Buffer.concat([last, part.subarray(-MOST_LAST)]).subarray(-MOST_LAST);
    },
    lingerMs: { beforeKill: LINGER_MS, afterKill: 0 },
  });
  switch (end.kind) {
    case 'not_started':
      return { kind: 'not_started', reason: messageOf(end.cause) };
    case 'timed_out':
      return { kind: 'timeout', last: last.toString().trim() };
    case 'too_long':
      return { kind: 'too_much' };
    case 'aborted':
      return { kind: 'aborted' };
    case 'exited': {
      const [out, said] = [end.out.bytes.toString('utf8'), end.error.bytes.toString('utf8').trim()];
      return { kind: 'ended', status: end.status ?? 1, out, said };
    }
  }
}

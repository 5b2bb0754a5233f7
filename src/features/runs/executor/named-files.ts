import type { RunLog } from '../model/run-log.js';
import type { NamedFileState, ToolFailure } from '../model/tool.js';

/** The files that arguments name, as they must still be: as the run was prepared with them, or as its calls have left them. */
export interface NamedFiles {
  /**
   * Says which of the files that a call names has changed while no call of the run was under way; null where none has.
   * @param isKnown whether all that the call names was known when the run was prepared
   */
  changed(named: readonly NamedFileState[], isKnown: boolean): Promise<string | null>;
  /** To be called when a call begins: what changes from now on it may have changed. @returns to be called when it has ended */
  begin(): () => void;
}

/** Times of files are those of the last tick of the system's clock, in milliseconds. */
const TICK_MS = 50;

/** A time in which calls were under way, in milliseconds since 1970. */
interface Span {
  readonly from: number;
  to: number;
}

/** Holds the files that arguments name against what they were. */
export function namedFiles(log: RunLog, executor: string, now: () => number): NamedFiles {
  const known = new Map((log.run.prepared.named ?? []).map(({ path, sha256 }) => [path, sha256]));
  const own = createSpans();
  let earlier: Promise<Spans> | null = null;
  return {
    async changed(named, isKnown) {
      for (const { path, sha256, changedAt } of named) {
        const before = known.get(path) ?? (isKnown ? null : undefined);
        if (before !== undefined && before !== sha256 && !own.has(changedAt)) {
          earlier ??= spansBefore(log, executor, now());
          if (!(await earlier).has(changedAt)) return path;
        }
        known.set(path, sha256);
      }
      return null;
    },
    begin() {
      own.open(now());
      return () => {
        own.close(now());
      };
    },
  };
}

/** Why a call is not made: a file that it names is another one. */
export function fileChanged(tool: string, path: string): ToolFailure {
  return {
    code: 'E_TOOL_CHANGED',
    message: `${path}, which the arguments of ${tool} name, holds something else than when the run was prepared, or than its calls have left there; a file that ${tool} itself writes is named under \`writes\` of its binding, also as \`\${name}\``,
    retryable: false,
  };
}

interface Spans {
  has(time: number): boolean;
  open(time: number): void;
  close(time: number): void;
}

/** Times in which at least one call was under way, in order. */
function createSpans(): Spans {
  const spans: Span[] = [];
  let calls = 0;
  return {
    has(time) {
      // The last one that begins no later.
      let [low, high] = [0, spans.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((spans[middle]?.from ?? 0) - TICK_MS <= time) low = middle + 1;
        else high = middle;
      }
      return time <= (spans[low - 1]?.to ?? -Infinity);
    },
    open(time) {
      calls += 1;
      if (calls === 1) spans.push({ from: time, to: Infinity });
    },
    close(time) {
      calls = Math.max(0, calls - 1);
      const last = spans.at(-1);
      if (calls === 0 && last !== undefined) last.to = time;
    },
  };
}

/**
 * When calls of executors before this one were under way; one that was killed, until it is settled what became of it, or
 * until now.
 */
async function spansBefore(log: RunLog, executor: string, now: number): Promise<Spans> {
  const spans = createSpans();
  const begun = new Set<string>();
  for (const event of await log.events()) {
    if (
      event.type !== 'attempt_started' &&
      event.type !== 'attempt_ended' &&
      event.type !== 'outcome_settled'
    )
      continue;
    const time = Date.parse(event.at);
    if (event.type === 'attempt_started') {
      if (begun.has(event.step) || event.executor === executor) continue;
      begun.add(event.step);
      spans.open(time);
    } else if (begun.delete(event.step)) spans.close(time);
  }
  for (const _killed of begun) spans.close(now);
  return spans;
}

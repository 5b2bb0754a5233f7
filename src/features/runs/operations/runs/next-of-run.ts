import { isCodeVoid } from '../../model/run.js';
import type { Instance } from '../../model/instance.js';
import type { Run, RunStatus } from '../../model/run.js';
import { shellWord } from '../../../../kernel/text/shell-word.js';
import { signCommand, runReportWaiting } from '../run-report.js';

/** A command that can be given now, and what it does. */
export interface NextCommand {
  readonly command: string;
  readonly does: string;
}

/** So many names are said; there can be thousands of items. */
const MOST_NAMED = 3;

/** What a person has to know beside the log. */
interface Known {
  /** The steps whose outcome nobody knows. */
  readonly unknown: readonly { readonly step: string; readonly effects: Instance['effects'] }[];
  /** Whether signatures approve, and codes do not. */
  readonly isSigned: boolean;
}

/** What can be done with a run now, the most likely first. */
export function nextOf(run: Run, status: RunStatus, { unknown, isSigned }: Known): readonly NextCommand[] {
  const go = { command: `plan run ${run.id}`, does: 'goes on with it' };
  const abort = { command: `plan abort ${run.id}`, does: 'ends it for good' };
  if (run.workers !== null && status !== 'expired') return nextByWorkers(run, status, isSigned);
  switch (status) {
    case 'prepared':
      return run.prepared.requires_approval ? toApprove(run, isSigned) : [{ ...go, does: 'carries it out' }];
    case 'approved':
      return [{ ...go, does: 'carries it out' }];
    case 'running':
      return [pauseOf(run), { ...abort, does: 'drops what is under way and ends it' }];
    case 'waiting':
      return run.running
        ? [...toAnswer(run, isSigned), abort]
        : [...toAnswer(run, isSigned), afterAnswer(run, go, isSigned), abort];
    case 'interrupted':
      return [
        unknown.length === 0
          ? go
          : { ...go, does: 'goes on with it; what is unknown is looked at first, and asked about' },
        ...unknown
          .filter(({ effects }) => effects === 'once')
          .slice(0, MOST_NAMED)
          .flatMap(({ step }) => toSettle(run.id, step)),
        abort,
      ];
    default:
      return [{ command: prepareAgain(run), does: again(run) }];
  }
}

/** The same for a run that is left to workers, which go on with it by themselves. */
function nextByWorkers(run: Run, status: RunStatus, isSigned: boolean): readonly NextCommand[] {
  const abort = { command: `plan abort ${run.id}`, does: 'ends it for good' };
  if (status === 'running') return [pauseOf(run), { ...abort, does: 'drops what is under way and ends it' }];
  const worker = { command: 'plan worker', does: `carries it out, in ${run.prepared.workspace.root}` };
  const own = { command: `plan run ${run.id}`, does: 'takes it from workers, and carries it out here' };
  if (status !== 'waiting') return [worker, own, pauseOf(run), abort];
  const anew = {
    command: `plan run ${run.id} --workers`,
    does: 'has workers ask again, where a code is lost',
  };
  return [
    ...toAnswer(run, isSigned),
    { ...worker, does: 'goes on with it after that' },
    ...(isSigned || run.waiting.every(({ code }) => code === undefined) ? [] : [anew]),
    abort,
  ];
}

function pauseOf({ id }: Run): NextCommand {
  return { command: `plan runs pause ${id}`, does: 'has nothing more of it begun' };
}

function toApprove(run: Run, isSigned: boolean): readonly NextCommand[] {
  if (isSigned) return [{ command: signCommand(run.id), does: 'agrees to it' }];
  const another = {
    command: prepareAgain(run),
    does: 'prepares it again and prints another code, where that one is lost',
  };
  if (isCodeVoid(run, run.prepared.code_key))
    return [{ ...another, does: 'prepares it again: too many wrong codes were given for this run' }];
  return [
    { command: 'plan approve CODE', does: 'agrees to it, with the code that `plan prepare` printed' },
    another,
  ];
}

/** What waits: each question with its answers. */
function toAnswer(run: Run, isSigned: boolean): readonly NextCommand[] {
  const drawer = run.workers === null ? '`plan run`' : 'the worker';
  return runReportWaiting(run, new Map(), isSigned).flatMap(({ commands, step, for: what }) =>
    what === 'outcome'
      ? toSettle(run.id, step)
      : commands.map((command) => ({
          command,
          does: isSigned ? `agrees to ${step}` : `agrees to ${step}, with the code that ${drawer} printed`,
        })),
  );
}

function afterAnswer({ waiting }: Run, go: NextCommand, isSigned: boolean): NextCommand {
  const hasCode = !isSigned && waiting.some((one) => one.code !== undefined);
  return {
    ...go,
    does: `goes on with it after that${hasCode ? '; before, it prints another code, where that one is lost' : ''}`,
  };
}

function toSettle(run: string, step: string): readonly NextCommand[] {
  const settle = `plan runs settle ${run} ${shellWord(step)} --as`;
  return [
    { command: `${settle} done`, does: `says that ${step} took effect` },
    { command: `${settle} not-done`, does: `says that ${step} had no effect` },
  ];
}

/** A run that is over is carried out anew from its first step: what acts once would act again. */
function again({ instances }: Run): string {
  const acted = [...instances].filter(
    ([, { effects, state }]) => effects === 'once' && (state === 'succeeded' || state === 'unknown'),
  );
  const plain = 'prepares it again, from its first step';
  if (acted.length === 0) return plain;
  const names = acted.slice(0, MOST_NAMED).map(([name]) => name);
  const more = acted.length - names.length;
  const all = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const they = acted.length === 1 ? 'this step acts' : 'these steps act';
  return `${plain}. Then ${they} a second time: ${all}. If that must not be, take ${acted.length === 1 ? 'it' : 'them'} out of the plan first`;
}

function prepareAgain({ prepared }: Run): string {
  return `plan prepare ${shellWord(prepared.source.id ?? prepared.source.file ?? '-')}`;
}

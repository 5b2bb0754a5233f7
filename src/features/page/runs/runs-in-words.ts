import { libraryOf } from '../../../operations/library.js';
import { runs as feature } from '../../runs/registry.js';
import type { ResultOf } from '../../runs/registry.js';
import type { Context } from '../../../operations/shared/context.js';
import { attemptsOf } from './run-attempts.js';
import { pathFrom } from '../../../cli/shared/path-from.js';
import { progressText, runWord, STATE_WORDS } from '../../runs/render/run-words.js';

type Summary = ResultOf<'runs list'>['runs'][number];

/** What a page may ask about runs, by address. */
export const RUN_ROUTES = {
  '/api/runs': ({ context }: Asked) => runsInWords(context),
  '/api/runs/*': ({ context, parts: [run = ''] }: Asked) => runInWords(context, run),
};

interface Asked {
  readonly context: Context;
  /** What stands in place of each `*`. */
  readonly parts: readonly string[];
}

/** Every run, with the words that a terminal has for it. */
async function runsInWords(context: Context) {
  const { runs, ...listed } = await libraryOf(context, feature.operations).runs.list();
  return {
    ...listed,
    runs: runs.map(({ parts, ...run }) => ({ ...run, words: wordsOf({ ...run, parts }, context) })),
  };
}

/** A run with its attempts, and the words that a terminal has for them. @throws PlanError E_PLAN_NOT_FOUND */
async function runInWords(context: Context, id: string) {
  const { parts, ...run } = await libraryOf(context, feature.operations).runs.show({ run: id });
  const steps = run.steps.map((step) => ({ ...step, words: STATE_WORDS[step.state] }));
  return {
    run: { ...run, steps, words: wordsOf({ ...run, parts }, context) },
    attempts: await attemptsOf(context, id),
  };
}

type Told = Pick<Summary, 'status' | 'source' | 'requires_approval' | 'counts' | 'parts'>;

function wordsOf({ status, source, requires_approval, counts, parts }: Told, { environment }: Context) {
  return {
    plan: source === null ? 'standard input' : pathFrom(environment.workingFolder, source),
    status: runWord(status, requires_approval),
    steps: Object.keys(counts).length === 0 ? '' : progressText(parts),
  };
}

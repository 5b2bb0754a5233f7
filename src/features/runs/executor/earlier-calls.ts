import type { RunLog } from '../model/run-log.js';
import type { EarlierCalls } from '../model/tool.js';
import { outputIn } from '../model/values/run-values.js';

/** Tells the calls that a run has made before, by its log. */
export function earlierCallsOf(log: RunLog): EarlierCalls {
  return (...tools) =>
    Array.from(log.run.instances, ([, instance]) => instance)
      .filter((instance) => instance.attempt > 0 && tools.includes(instance.tool ?? ''))
      .toSorted((a, b) => ((a.started_at ?? '') < (b.started_at ?? '') ? 1 : -1))
      .map(({ state, output }) => ({
        isKnown: state !== 'unknown' && state !== 'started',
        output: () => outputIn(log, output),
      }));
}

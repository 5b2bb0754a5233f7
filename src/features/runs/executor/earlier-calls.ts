import type { RunLog } from '../model/run-log.js';
import type { EarlierCalls } from '../model/tool.js';
import { outputIn } from '../model/values/run-values.js';

/** Tells the calls that a run has made before, by its log. */
export function earlierCallsOf(log: RunLog): EarlierCalls {
  return (tool) =>
    Array.from(log.run.instances, ([, instance]) => instance)
      .filter((instance) => instance.tool === tool && instance.attempt > 0)
      .toSorted((a, b) => ((a.started_at ?? '') < (b.started_at ?? '') ? 1 : -1))
      .map(({ state, output }) => ({
        isKnown: state !== 'unknown' && state !== 'started',
        output: () => outputIn(log, output),
      }));
}

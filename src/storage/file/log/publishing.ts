import { storageError } from '../../../host/files/storage-error.js';
import type { PublishTime } from '../../plan-store.js';
import type { Publisher } from '../snapshot/publish-plan-file.js';
import type { LogReader } from './log-reader.js';
import { lossOf } from './append-point.js';
import type { LogReaderOptions } from './plan-state.js';

/** Publishes what a reader has read. */
export interface Publishing {
  /**
   * Publishes the state. What fails is told where warnings go, or thrown.
   * @returns false when the plan file could not be written
   * @throws PlanError STORAGE_FAILED
   */
  publish(when: PublishTime): Promise<boolean>;
  /** A log that has lost what was read of it: this process may have the only copy, and publishes it. */
  saveIfCutOff(): Promise<void>;
}

/** Makes the publishing of a plan that is read by a reader. */
export function createPublishing(
  { planId, paths, warn }: Pick<LogReaderOptions, 'planId' | 'paths' | 'warn'>,
  reader: LogReader,
  publisher: Publisher,
): Publishing {
  return {
    async publish(when) {
      try {
        return await publishState(when);
      } catch (cause) {
        const { message } = storageError('write', paths.planFile, cause);
        if (warn === undefined) throw cause;
        warn({
          code: 'NOT_PUBLISHED',
          message: `what was changed is stored, but the plan file could not be rewritten: ${message}`,
          file: paths.planFile,
        });
        return false;
      }
    },
    async saveIfCutOff() {
      if (reader.loss !== null) await publishState('now').catch(() => undefined);
    },
  };

  async function publishState(when: PublishTime): Promise<boolean> {
    let done = await publishOnce(when);
    if (done === 'beside another log') {
      await reader.readOn(new Map());
      done = await publishOnce('now');
    }
    if (done === 'behind') {
      // Nothing more is to be written before somebody has seen to it, unless only what was read was of another file.
      await reader.reload();
      if (reader.loss === null) done = await publishOnce('now');
    }
    if (done !== 'behind') return true;
    if (warn === undefined) throw lossOf(paths.eventLog, reader.loss ?? { bytes: 0 });
    warn({
      code: 'NOT_PUBLISHED',
      message: `what was changed is stored, but the plan file stays as it is: it shows a change that the log of plan ${planId} has lost; \`plan doctor --fix\` brings it back`,
      file: paths.planFile,
    });
    return false;
  }

  async function publishOnce(when: PublishTime) {
    const { reading, plan, covered } = reader;
    // What is in no log yet is not published.
    if (reading === null || reading.pending.length > 0) return 'not needed';
    const done = await publisher.publish({ reading, plan, covered, when });
    if (done === 'published') reader.noteFits();
    return done;
  }
}

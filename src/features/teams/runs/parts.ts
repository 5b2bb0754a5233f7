import { partOpener } from '../../../operations/shared/parts.js';
import { RUN_TEAM, RUNS } from '../../runs/parts.js';
import { RUN_CONTENTS } from '../parts.js';

/** How runs in a database are opened, and who carries them out together. */
export const RUNS_IN_TEAMS = [
  partOpener({
    part: RUNS,
    store: 'postgres',
    async open(store) {
      const { inPostgres } = await import('../postgres/open-postgres.js');
      const { createPostgresRunStore } = await import('./postgres-run-store.js');
      return createPostgresRunStore((await inPostgres(store)).url, store.stamp);
    },
  }),
  partOpener({
    part: RUN_CONTENTS,
    store: 'postgres',
    async open(store) {
      const { inPostgres } = await import('../postgres/open-postgres.js');
      const { runContentsOfPostgres } = await import('./postgres-run-contents.js');
      return runContentsOfPostgres((await inPostgres(store)).database);
    },
  }),
  partOpener({
    part: RUN_CONTENTS,
    store: 'files',
    async open(store) {
      const { runContentsOfFiles } = await import('./file-run-contents.js');
      return runContentsOfFiles((await store.plans()).location);
    },
  }),
  partOpener({
    part: RUN_TEAM,
    store: 'postgres',
    async open(store, environment) {
      const { openTeam } = await import('../workers/open-team.js');
      const team = await openTeam(store, environment);
      return {
        hold: (run) => team.hold(run),
        isHeld: (run) => team.isHeld(run),
        leave: async (context, log, how) => (await import('./enqueue-run.js')).enqueueRun(context, log, how),
      };
    },
  }),
];

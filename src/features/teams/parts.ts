import { partOpener } from '../../operations/shared/parts.js';
import type { Part } from '../../operations/shared/parts.js';
import type { RunContents, StoreContents } from './copy/store-contents.js';
import type { Team } from './team.js';

/** What workers that plan together share. */
export const TEAM: Part<Team> = { name: 'team' };

/** What a store keeps, as it is, to be copied. */
export const CONTENTS: Part<StoreContents> = { name: 'contents' };
export const RUN_CONTENTS: Part<RunContents> = { name: 'contents of runs' };

/** How they are opened. */
export const TEAM_PARTS = [
  partOpener({
    part: TEAM,
    store: 'postgres',
    open: async (store, environment) => (await import('./workers/open-team.js')).openTeam(store, environment),
  }),
  partOpener({
    part: CONTENTS,
    store: 'postgres',
    async open(store) {
      const { inPostgres } = await import('./postgres/open-postgres.js');
      const { contentsOfPostgres } = await import('./postgres/postgres-contents.js');
      const { url, plans } = await inPostgres(store);
      return contentsOfPostgres(url, plans);
    },
  }),
  partOpener({
    part: CONTENTS,
    store: 'files',
    async open(store) {
      const { prepareStore } = await import('../../storage/file/file-store.js');
      const { contentsOfFiles } = await import('./copy/file-contents.js');
      if (store.folder !== null) await prepareStore(store.folder);
      return contentsOfFiles(await store.plans());
    },
  }),
];

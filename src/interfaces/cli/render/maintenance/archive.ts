import type { OperationNamed } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Says what was archived, and how it comes back. */
export const archive: RendererOf<OperationNamed<'archive'>> = {
  render: ({ id }) => `Archived ${id}; \`plan restore ${id}\` brings it back.\n`,
};

/** Says what came back. */
export const restore: RendererOf<OperationNamed<'restore'>> = {
  render: ({ id }) => `Restored ${id}.\n`,
};

/** Says whether a plan is archived or gone. */
export const deleted: RendererOf<OperationNamed<'delete'>> = {
  render: ({ id, purged }) =>
    purged ? `Deleted ${id} for good.\n` : `Archived ${id}; --purge deletes for good.\n`,
};

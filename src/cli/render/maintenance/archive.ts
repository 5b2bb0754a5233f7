import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { askOfUnnamedPlan, namedPlan, YES_OPTION } from '../parts/unnamed-plan.js';

/** Says what was archived, and how it comes back. */
export const archive: RendererOf<OperationNamed<'archive'>> = {
  options: YES_OPTION,
  confirm: (input, view) => askOfUnnamedPlan(input, view, (plan) => `Archive ${plan}?`),
  render: ({ id, description }) =>
    `Archived ${namedPlan({ id, description })}; \`plan restore ${id}\` brings it back.\n`,
};

/** Says what came back. */
export const restore: RendererOf<OperationNamed<'restore'>> = {
  render: (plan) => `Restored ${namedPlan(plan)}.\n`,
};

/** Says whether a plan is archived or gone. */
export const deleted: RendererOf<OperationNamed<'delete'>> = {
  options: YES_OPTION,
  // What is deleted for good must be named in any case.
  confirm: async (input, view) =>
    input.purge === true
      ? null
      : askOfUnnamedPlan(input, view, (plan) => `Archive ${plan}?`, { byIdAlone: true }),
  render: ({ id, purged, runs = [] }) =>
    purged
      ? `Deleted ${id} for good${runs.length === 0 ? '' : `, with ${quantityOf(runs.length, 'run')}`}.\n`
      : `Archived ${id}; \`plan restore ${id}\` brings it back, \`plan delete ${id} --purge\` deletes it for good.\n`,
};

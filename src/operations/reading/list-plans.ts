import * as z from 'zod';

import { defineOperation } from '../operation.js';
import { choice, toggle } from '../shared/fields.js';

/** Every plan, newest change first; files that cannot be read are named among the problems. */
export const listPlans = defineOperation({
  input: z.strictObject({
    status: choice(['in_progress', 'complete', 'paused', 'failed'], 'only these', { value: 'status' }),
    archived: toggle('the plans of the archive'),
  }),
  output: async () => (await import('./listing-schema.js')).listingSchema,
  examples: ['plan list', 'plan list --status paused --json'],
  mutates: false,
  async run(context, { status, archived }) {
    const { plans, problems } = await context.store().list(archived === true ? 'archived' : 'active');
    return { plans: plans.filter((plan) => status === undefined || plan.status === status), problems };
  },
  document: ({ plans, problems }) => ({ plans, ...(problems.length > 0 ? { problems } : {}) }),
});

import * as z from 'zod';

import { numberedGoal } from '../shared/report-schemas.js';

/** A claim as its holder sees it. */
export const ownClaimSchema = z
  .object({
    goal: z.string(),
    token: z.string().describe('Proves the claim; whoever has it can renew, release and complete.'),
    by: z.string(),
    expires_at: z.string(),
  })
  .readonly();

/** The members of what a claim came to. */
export const claimReportMembers = { goal: numberedGoal, claimed: ownClaimSchema };

/** What a claim came to. */
export const claimReportSchema = z.object(claimReportMembers).readonly();

export type HeldClaim = z.output<typeof ownClaimSchema>;
export type ClaimReport = z.output<typeof claimReportSchema>;

import * as z from 'zod';

import { ALL_CAPABILITIES, capabilitiesSchema } from './capabilities.js';
import type { Endpoint } from './endpoint.js';
import type { Meter } from './spend/meter.js';

const ratio = z.number().min(1).max(20);

/** What has been learnt about a model of a server, as it may be kept from one command to the next. */
const learntSchema = z.object({
  capabilities: capabilitiesSchema.catch(ALL_CAPABILITIES),
  /** How much more the server reports than is counted. */
  scale: z.object({ input: ratio, output: ratio }).optional().catch(undefined),
  output_cap: z.int().min(64).max(10_000_000).optional().catch(undefined),
  context_tokens: z.int().min(1024).max(100_000_000).optional().catch(undefined),
  room: z.union([z.literal(1), z.literal(4), z.literal(16)]).catch(1),
});

export type Learnt = z.infer<typeof learntSchema>;

/** Where what was learnt is kept. Neither function may throw or reject. */
export interface Memory {
  /** What was kept for a model; anything, for whoever wrote it is not known. */
  readonly recall: (model: string) => Promise<unknown>;
  readonly keep: (model: string, learnt: Learnt) => Promise<void>;
}

/**
 * Recalls what was learnt about a server in an earlier run, as far as it makes sense.
 * @param contextTokens what the user says, which counts more
 */
export function recallInto(
  endpoint: Endpoint,
  meter: Meter,
  kept: unknown,
  contextTokens: number | undefined,
): void {
  const learnt = learntSchema.safeParse(kept).data;
  if (learnt === undefined) return;
  endpoint.capabilities = learnt.capabilities;
  endpoint.outputCap = learnt.output_cap ?? endpoint.outputCap;
  endpoint.room = learnt.room;
  if (learnt.scale !== undefined) meter.assume(endpoint.model, learnt.scale);
  if (contextTokens === undefined && learnt.context_tokens !== undefined)
    endpoint.contextTokens = Math.min(endpoint.contextTokens ?? Infinity, learnt.context_tokens);
}

/** What is worth keeping of an endpoint. */
export function learntAbout(endpoint: Endpoint, meter: Meter): Learnt {
  const scale = meter.scaleOf(endpoint.model);
  const { capabilities, outputCap, contextTokens } = endpoint;
  return learntSchema.parse({
    capabilities,
    room: endpoint.room,
    output_cap: outputCap === Number.MAX_SAFE_INTEGER ? undefined : outputCap,
    context_tokens: contextTokens === endpoint.knownContext ? undefined : contextTokens,
    scale: scale && { input: roundedUp(scale.input), output: roundedUp(scale.output) },
  });
}

// In steps, so that not every call has something new to keep.
function roundedUp(value: number): number {
  return Math.ceil(value * 50) / 50;
}

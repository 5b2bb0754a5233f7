import type { PlainShape } from '../../kernel/json/plain-shape.js';

/**
 * The shapes of events that can be read without their schemas, by type. The build puts them here, for deriving them needs
 * zod and the schemas; until then there are none, and the schemas read all.
 */
export const PLAIN_EVENTS: Readonly<Record<string, PlainShape>> = {};

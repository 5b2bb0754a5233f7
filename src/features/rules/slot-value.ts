import type { Json } from './step-schema.js';

/** What the text of a slot says, and how it is shown; or why it cannot be read. */
export type SlotValue = { readonly value: Json; readonly shown: string } | { readonly problem: string };

/** The slots of a method that are filled. */
export type SlotValues = ReadonlyMap<string, { readonly value: Json; readonly shown: string }>;

import type * as z from 'zod';

/** How members of a type of the API are read, and others by name: what the API does not have is a mistake. */
export type Read<T, Others extends string = never> = Partial<Record<keyof T | Others, z.ZodType>>;

import type * as z from 'zod';

import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';

/** What could not be read: where it stands, and why not. */
export interface Unread {
  readonly path: string;
  /** The same as keys and places from the top of its file of JSON. */
  readonly at: readonly PropertyKey[];
  readonly problem: string;
}

/**
 * Reads an item of another tool. A member that cannot be read costs that member, unless the item is nothing without it: then
 * it costs the item, and nothing else. Both are named.
 * @param needed the members without which it is no item
 * @returns the item, or null
 */
export function readItem<Item>(
  schema: z.ZodType<Item>,
  value: unknown,
  {
    path,
    at,
    needed,
    unread,
  }: Pick<Unread, 'path' | 'at'> & { readonly needed: readonly string[]; readonly unread: Unread[] },
): Item | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    unread.push({ path, at, problem: 'it is not an object' });
    return null;
  }
  const record: Record<string, unknown> = { ...value };
  for (;;) {
    const parsed = schema.safeParse(record, IN_OUR_WORDS);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const [member, ...deeper] = (issue?.path ?? []).map(String);
    const problem = issue?.message ?? 'it cannot be read';
    const isLost = member === undefined || needed.includes(member) || !Object.hasOwn(record, member);
    unread.push({
      at: isLost ? at : [...at, member],
      path: [path, member, ...deeper].filter((part) => part !== undefined && part !== '').join('.'),
      problem,
    });
    if (isLost) return null;
    delete record[member];
  }
}

import { REGISTERED } from '../operations/registry.js';
import type { OperationGroup, RegisteredOperation } from '../operations/registry.js';

/** A command as the help lists it: one operation, or several whose names begin with the same word. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Where the help lists it. */
  readonly group: OperationGroup;
  /** The first screen of the help shows it. */
  readonly everyday: boolean;
  /** The operations by their second words; by `''` that of a name of one word. */
  readonly operations: ReadonlyMap<string, RegisteredOperation>;
  /** What is done when no second word is given; null where one must be. */
  readonly defaultAction: string | null;
}

/** Every command, in the order of the help. */
export function commandEntries(): readonly CommandEntry[] {
  const entries = new Map<string, CommandEntry & { readonly operations: Map<string, RegisteredOperation> }>();
  for (const [name, row] of REGISTERED) {
    const [first = '', second = ''] = name.split(' ');
    const known = entries.get(first);
    const operations = known?.operations ?? new Map<string, RegisteredOperation>();
    operations.set(second, row);
    entries.set(first, {
      name: first,
      aliases: [...(known?.aliases ?? []), ...(row.aliases ?? [])],
      summary: known?.summary ?? row.commandSummary ?? row.summary,
      group: row.group,
      everyday: row.everyday === true,
      operations,
      defaultAction: second === '' || row.isDefault === true ? second : (known?.defaultAction ?? null),
    });
  }
  return [...entries.values()];
}

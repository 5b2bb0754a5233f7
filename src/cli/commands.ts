import { OPERATION_GROUPS } from '../operations/registered-operation.js';
import type {
  OperationGroup,
  OperationTable,
  RegisteredOperation,
} from '../operations/registered-operation.js';

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

/** Returns every command, in the order of the help. */
export function commandEntries(operations: OperationTable): readonly CommandEntry[] {
  const entries = new Map<string, CommandEntry & { readonly operations: Map<string, RegisteredOperation> }>();
  for (const [name, row] of inOrderOfHelp(operations)) {
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

/** The rows by their groups: in each the core's first, and then those of features, or behind the row that these name. */
function inOrderOfHelp(operations: OperationTable): readonly (readonly [string, RegisteredOperation])[] {
  const rows = Object.entries(operations);
  const ordered = rows.filter(([, { after }]) => after === undefined);
  for (const row of rows) {
    const { after } = row[1];
    if (after === undefined) continue;
    const place = ordered.findIndex(([name]) => name === after);
    ordered.splice(place < 0 ? ordered.length : place + 1, 0, row);
  }
  const groupOf = ([, { group }]: (typeof rows)[number]) => OPERATION_GROUPS.indexOf(group);
  return ordered.toSorted((one, other) => groupOf(one) - groupOf(other));
}

import { isSameJson } from '../../kernel/json/same-json.js';

/** A task as a tool has it, by the names of its members there. */
export type ToolRecord = Readonly<Record<string, unknown>>;

/** What of a record an export would not write by itself. */
export interface AsWas {
  /** Members that it would write otherwise, or not at all. */
  readonly as_was?: ToolRecord;
  /** Members that it would write and that were not there. */
  readonly not_there?: readonly string[];
}

/** Finds what is to be kept of a record so that an export gives it back: how it differs from what would be written. */
export function differing(original: ToolRecord, written: ToolRecord): AsWas {
  const asWas = Object.entries(original).filter(([name, value]) => !isSameJson(value, written[name]));
  const notThere = Object.keys(written).filter(
    (name) => written[name] !== undefined && !Object.hasOwn(original, name),
  );
  return {
    ...(asWas.length === 0 ? {} : { as_was: Object.fromEntries(asWas) }),
    ...(notThere.length === 0 ? {} : { not_there: notThere }),
  };
}

/** Returns a record as it was. */
export function asItWas(written: ToolRecord, { as_was = {}, not_there = [] }: AsWas): ToolRecord {
  const gone = new Set(not_there);
  const kept = Object.entries(written).filter(([name]) => !gone.has(name));
  return { ...Object.fromEntries(kept), ...as_was };
}

/** What a record says here, member by member, as JSON. */
export type Meaning = Readonly<Record<string, unknown>>;

/**
 * Writes a record as it was wherever that still says the same: each original member is put back if whatever the record then
 * says otherwise is what it is to say. So what was changed here is another, and that alone.
 * @param together names of members that say something together
 * @param meaning what it is to say
 * @param read what a record says
 */
export function restored(
  written: ToolRecord,
  { as_was = {}, not_there = [] }: AsWas,
  together: readonly (readonly string[])[],
  { meaning, read }: { readonly meaning: Meaning; readonly read: (record: ToolRecord) => Meaning },
): ToolRecord {
  const names = new Set([...Object.keys(as_was), ...not_there]);
  if (names.size === 0) return written;
  const put = (record: ToolRecord, some: Iterable<string>): ToolRecord => {
    const next: Record<string, unknown> = { ...record };
    for (const name of some)
      if (Object.hasOwn(as_was, name)) next[name] = as_was[name];
      else delete next[name];
    return next;
  };
  const differ = (one: Meaning, other: Meaning): readonly string[] =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (name) => !isSameJson(one[name], other[name]),
    );
  const whole = put(written, names);
  if (differ(read(whole), meaning).length === 0) return whole;
  const grouped = together.map((group) => group.filter((name) => names.has(name)));
  const alone = [...names].filter((name) => !together.some((group) => group.includes(name)));
  let record = written;
  for (const group of [...grouped, ...alone.map((name) => [name])]) {
    const next = put(record, group);
    const is = read(next);
    const wrong = new Set(differ(is, meaning));
    if (!differ(is, read(record)).some((name) => wrong.has(name))) record = next;
  }
  return record;
}

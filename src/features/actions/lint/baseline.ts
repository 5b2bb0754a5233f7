import * as z from 'zod';

import type { Finding } from './finding.js';
import { firstFingerprintOf } from './fingerprint.js';
import { RULE_IDS } from './rule-ids.js';

const entrySchema = z.strictObject({
  /** Relative to the baseline's folder, with slashes. */
  file: z.string(),
  rule: z.enum(RULE_IDS),
  step: z.string().nullable(),
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  count: z.int().positive(),
});
const firstSchema = z.strictObject({ version: z.literal(1), findings: z.array(entrySchema) });
const currentSchema = z.strictObject({
  version: z.literal(2),
  findings: z.array(
    /** With `first` the fingerprint is one of version 1, of a file that could not be checked since. */
    entrySchema.extend({ first: z.literal(true).optional() }),
  ),
});

/**
 * A file that lists findings that are known and put up with, so that only new ones fail a check. In version 1 their
 * fingerprints were made of messages.
 */
export const baselineSchema = z
  .discriminatedUnion('version', [firstSchema, currentSchema])
  .transform((stored): z.infer<typeof currentSchema> => {
    if (stored.version === 2) return stored;
    return { version: 2, findings: stored.findings.map((entry) => ({ ...entry, first: true as const })) };
  });

export type Baseline = z.infer<typeof baselineSchema>;
type Entry = Baseline['findings'][number];

/** What became of findings compared with a baseline. */
export interface Sifted {
  readonly fresh: readonly Finding[];
  readonly known: readonly Finding[];
  /** How often entries of the baseline for the file were not met. */
  readonly stale: number;
}

/**
 * The baseline of findings by file; a rule that failed is never put up with.
 * @param kept what was known of files that could not be checked now
 */
export function baselineOf(
  files: readonly { readonly file: string; readonly findings: readonly Finding[] }[],
  kept: readonly Entry[] = [],
): Baseline {
  const entries = new Map<string, Entry>();
  for (const { file, findings } of files) {
    for (const finding of findings) {
      if (finding.failed === true) continue;
      const { fingerprint } = finding;
      const key = `${file}\n${fingerprint}`;
      const count = (entries.get(key)?.count ?? 0) + 1;
      entries.set(key, { file, rule: finding.rule, step: finding.step, fingerprint, count });
    }
  }
  return { version: 2, findings: [...entries.values(), ...kept] };
}

/** Parts the findings of a file into those that the baseline knows and those that it does not. */
export function siftFindings(baseline: Baseline, file: string, findings: readonly Finding[]): Sifted {
  const left = new Map(
    baseline.findings
      .filter((entry) => entry.file === file)
      .map(({ fingerprint, first, count }) => [keyOf(fingerprint, first), count]),
  );
  const known: Finding[] = [];
  const fresh: Finding[] = [];
  for (const finding of findings) {
    const keys = [keyOf(finding.fingerprint), keyOf(firstFingerprintOf(finding), true)];
    const met = keys.find((key) => (left.get(key) ?? 0) > 0);
    if (met !== undefined) left.set(met, (left.get(met) ?? 0) - 1);
    (met === undefined ? fresh : known).push(finding);
  }
  return { fresh, known, stale: [...left.values()].reduce((sum, count) => sum + count, 0) };
}

function keyOf(fingerprint: string, first = false): string {
  return `${first ? 1 : 2} ${fingerprint}`;
}

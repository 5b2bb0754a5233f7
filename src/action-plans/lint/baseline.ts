import * as z from 'zod';

import { sha256 } from '../../kernel/sha256.js';
import type { Finding } from './finding.js';
import { RULE_IDS } from './rule-ids.js';

/** A file that lists findings that are known and put up with, so that only new ones fail a check. */
export const baselineSchema = z.strictObject({
  version: z.literal(1),
  findings: z.array(
    z.strictObject({
      /** Relative to the baseline's folder, with slashes. */
      file: z.string(),
      rule: z.enum(RULE_IDS),
      step: z.string().nullable(),
      fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
      count: z.int().positive(),
    }),
  ),
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
 * The mark by which a baseline knows a finding again when lines move and steps change places: made of its rule,
 * step, place within the step, and message. Other numbers of the message count: an amount that grew is another
 * finding. It shows nothing of a secret.
 */
export function fingerprintOf({ rule, step, pointer, message }: Finding): string {
  const within = step === null ? pointer : pointer.replace(/^.*\/steps\/\d+/, '');
  // Lines that a message names move as well.
  const said = message.replaceAll(/\bline \d+\b|(?<=:)\d+:\d+(?=:)/g, '#');
  return sha256(JSON.stringify([rule, step, within, said])).slice(0, 16);
}

/** The baseline of findings by file; a rule that failed is never put up with. */
export function baselineOf(
  files: readonly { readonly file: string; readonly findings: readonly Finding[] }[],
): Baseline {
  const entries = new Map<string, Entry>();
  for (const { file, findings } of files) {
    for (const finding of findings) {
      if (finding.failed === true) continue;
      const fingerprint = fingerprintOf(finding);
      const key = `${file}\n${fingerprint}`;
      const count = (entries.get(key)?.count ?? 0) + 1;
      entries.set(key, { file, rule: finding.rule, step: finding.step, fingerprint, count });
    }
  }
  return { version: 1, findings: [...entries.values()] };
}

/** Parts the findings of a file into those that the baseline knows and those that it does not. */
export function siftFindings(baseline: Baseline, file: string, findings: readonly Finding[]): Sifted {
  const left = new Map(
    baseline.findings
      .filter((entry) => entry.file === file)
      .map(({ fingerprint, count }) => [fingerprint, count]),
  );
  const known: Finding[] = [];
  const fresh: Finding[] = [];
  for (const finding of findings) {
    const mark = fingerprintOf(finding);
    const count = left.get(mark) ?? 0;
    if (count > 0) left.set(mark, count - 1);
    (count > 0 ? known : fresh).push(finding);
  }
  return { fresh, known, stale: [...left.values()].reduce((sum, count) => sum + count, 0) };
}

import * as z from 'zod';

const entrySchema = z.object({
  goal: z.string(),
  parent: z.string(),
  text: z.string(),
  done: z.boolean(),
  /** Whether somebody wrote the line himself; false for one that was written for the goal. Older ones do not say. */
  adopted: z.boolean().optional(),
});
const baselineSchema = z.object({ items: z.array(entrySchema) });

/** What a checklist and a plan said alike when they were brought in step last. */
export type BaselineEntry = z.output<typeof entrySchema>;
export type Baseline = ReadonlyMap<string, BaselineEntry>;

/** Reads what was kept; null when there is none, or none that can be read. */
export function parseBaseline(text: string | null): Baseline | null {
  if (text === null) return null;
  try {
    const parsed = baselineSchema.safeParse(JSON.parse(text));
    return parsed.success ? new Map(parsed.data.items.map((entry) => [entry.goal, entry])) : null;
  } catch {
    return null;
  }
}

/** What is kept. */
export function stringifyBaseline(baseline: Baseline): string {
  return `${JSON.stringify({ items: [...baseline.values()] })}\n`;
}

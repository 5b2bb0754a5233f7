import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { parse } from 'yaml';
import * as z from 'zod';

/** Where the texts of the example are, from the repository's root. */
export const DATA_FOLDER = 'scripts/example-data';

const digest = z.strictObject({
  summary: z.string(),
  key_decisions: z.array(z.string()),
  artifacts: z.array(z.string()),
});
const at = z.iso.datetime();

const replySchema = z.strictObject({ input: z.int(), output: z.int(), seconds: z.number() });

const treeSchema = z.strictObject({
  goal: z.string(),
  reasoning: z.string(),
  acceptance: z.array(z.string()).default([]),
  /** Of every goal but the root. */
  size: z.enum(['S', 'M', 'L']).optional(),
  /** Numbers of the earlier parts of the same goal that come first, counted from 1. */
  after: z.array(z.int()).default([]),
  /** What asking about this goal cost; a goal without parts that has one was taken as composite at first. */
  reply: replySchema.optional(),
  get parts(): z.ZodDefault<z.ZodArray<typeof treeSchema>> {
    return z.array(treeSchema).default([]);
  },
  done: digest.extend({ at, by: z.string() }).optional(),
});

const workSchema = z.strictObject({
  goal: z.string().describe('Its description.'),
  at,
  by: z.string(),
  done: digest.optional(),
  failed: z.string().optional(),
  reopened: z.string().optional(),
  /** It is new, below this goal. */
  added: z.strictObject({ under: z.string(), because: z.string() }).optional(),
  /** It waits for these from then on. */
  needs: z.array(z.string()).optional(),
  edited: z.strictObject({ acceptance: z.array(z.string()) }).optional(),
  claimed: z.strictObject({ until: at }).optional(),
});

const common = {
  id: z.string(),
  started: at,
  by: z.string().regex(/^[^@]+@[^@]+$/),
  archived: at.optional(),
};

const examplePlanSchema = z.union([
  z.strictObject({
    ...common,
    model: z.string(),
    price: z.strictObject({ input: z.number(), output: z.number() }),
    tree: treeSchema,
  }),
  z.strictObject({ ...common, goal: z.string(), work: z.array(workSchema) }),
  z.strictObject({ ...common, document: z.string(), work: z.array(workSchema) }),
]);

/** A plan of the example: by a model's written-down replies, by the rules, or from a document. */
export type ExamplePlan = z.infer<typeof examplePlanSchema>;
export type ExampleTree = z.infer<typeof treeSchema>;
/** One thing that was done about a goal: it is `done`, it `failed`, it was `reopened`, `added`, `edited`, `claimed`, or it `needs` others. */
export type WorkStep = z.infer<typeof workSchema>;

/** Reads a plan's data. */
export async function readExamplePlan(name: string): Promise<ExamplePlan> {
  const path = fileURLToPath(new URL(`./example-data/${name}.yaml`, import.meta.url));
  return examplePlanSchema.parse(parse(await readFile(path, 'utf8')));
}

/** The work on a plan in order of time. */
export function workOf(example: ExamplePlan): readonly WorkStep[] {
  const steps = 'tree' in example ? workIn(example.tree) : example.work;
  return steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function workIn({ goal, done, parts }: ExampleTree): readonly WorkStep[] {
  const below = parts.flatMap((part) => workIn(part));
  if (done === undefined) return below;
  const { at, by, ...digest } = done;
  return [{ goal, at, by, done: digest }, ...below];
}

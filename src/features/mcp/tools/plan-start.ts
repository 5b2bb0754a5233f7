import * as z from 'zod';

import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { CoreLibrary } from '../../../operations/library.js';
import type { PlanningRun } from '../../../operations/planning/planning-progress.js';
import { fileOfProject } from '../../../operations/shared/named-file.js';
import { isPlanOpen, statusOfPlan, upTo } from '../fields.js';
import { howToAnswer, toolQuestions, toolQuestionSchema } from '../questions.js';
import { defineTool } from '../tool.js';
import type { ToolWorld } from '../tool.js';

const input = z.object({
  goal: z.string().optional(),
  document: z.string().optional().describe('Path'),
  planner: z.enum(['agent', 'model', 'rules']).default('agent'),
  context: z.array(z.string()).optional().describe('Paths of files that describe the project'),
  max_depth: upTo(20),
  max_goals: upTo(10_000),
});

type Input = z.output<typeof input>;

/** Questions that come with a new plan. */
const FIRST = 3;

/** Makes a plan, or goes on with one of the same goal. */
export const planStart = defineTool({
  name: 'plan_start',
  description:
    'Make a plan: a tree of goals, from `goal` or a Markdown `document`. planner "agent": you divide the goals, by answering the returned questions with plan_answer. "model", "rules": done in the background; follow with plan_status. An unfinished plan of the same goal is continued.',
  input,
  output: z.object({
    plan: z.string(),
    status: z.string(),
    progress: z.string(),
    left: z.number(),
    how: z.string().optional(),
    questions: z.array(toolQuestionSchema),
  }),
  annotations: { destructiveHint: false },
  async run(world, given) {
    if (given.goal === undefined && given.document === undefined)
      throw new PlanError('USAGE', 'neither a goal nor a document is given');
    const { library } = world;
    const before = await unfinished(library, given.goal);
    const plan = before ?? (await begin(world, given));
    const { plan: summary } = await library.status({ plan });
    const { pending_goals, paused_because, progress } = summary;
    const status = statusOfPlan(summary);
    if (given.planner !== 'agent') {
      // With no goal left to plan, the last question may be left.
      if (before !== null && (pending_goals > 0 || paused_because !== null))
        await goOn(world, plan, given.planner);
      return { document: { plan, status, progress, left: pending_goals, questions: [] } };
    }
    const asked = await library.ask({ plan, count: FIRST });
    const how = howToAnswer(asked);
    return {
      document: {
        plan,
        status,
        progress,
        left: asked.left,
        ...(how === '' ? {} : { how }),
        questions: toolQuestions(asked),
      },
    };
  },
});

/**
 * A plan of that goal that is not planned, or else not done: who was cut off just before hearing that the last answer was stored
 * asks again, and is to find that plan.
 */
async function unfinished(library: CoreLibrary, goal: string | undefined): Promise<string | null> {
  if (goal === undefined) return null;
  const plans = await library.list().then(
    (listed) => listed.plans,
    () => [],
  );
  const same = plans.filter((plan) => isPlanOpen(plan) && plan.description === goal.trim());
  return (same.find(({ pending_goals }) => pending_goals > 0) ?? same[0])?.id ?? null;
}

/** Makes a plan. By rules and agents it is made at once; a model goes on in the background. */
async function begin(world: ToolWorld, input: Input): Promise<string> {
  const run = await newPlan(world, input);
  return input.planner === 'model' ? begun(world, run) : (await run.result).plan.id;
}

async function newPlan(
  { library, context: world, ending }: ToolWorld,
  { goal, document, planner, context, max_depth, max_goals }: Input,
): Promise<PlanningRun> {
  // What an agent names may be what a text that it read told it to.
  const from = document === undefined ? undefined : await fileOfProject(world, document);
  const files = await Promise.all((context ?? []).map((file) => fileOfProject(world, file)));
  return library.init({
    goal,
    from,
    ...(context === undefined ? {} : { context: files }),
    ...(planner === 'model' ? {} : { expander: planner }),
    settings: {
      ...(planner === 'model' ? { expander: 'model' as const } : {}),
      ...(max_depth === undefined ? {} : { max_depth }),
      ...(max_goals === undefined ? {} : { max_goals }),
    },
    ...(planner === 'model' ? ending : {}),
  });
}

/**
 * Waits until planning has begun and leaves it to go on in the background. What stops it later is kept for plan_status.
 * @returns the plan
 * @throws PlanError where it did not begin
 */
async function begun({ background, failures }: ToolWorld, run: PlanningRun): Promise<string> {
  const ended = run.result.then(({ stopped }) => stopped?.message ?? null, messageOf);
  const plan = await begunPlan(run);
  failures.delete(plan);
  background(ended.then((trouble) => trouble !== null && failures.set(plan, trouble)));
  return plan;
}

async function begunPlan(run: PlanningRun): Promise<string> {
  for await (const event of run) if (event.type === 'changed') return event.plan.header.id;
  return (await run.result).plan.id;
}

/**
 * Plans on, whatever the plan says of itself: a process that was killed could not say that it stopped. Where one is at it,
 * this one is refused and nothing changes.
 * @throws PlanError where it does not begin, as without a model
 */
async function goOn(world: ToolWorld, plan: string, expander: 'model' | 'rules'): Promise<void> {
  try {
    await begun(world, world.library.resume({ plan, expander, ...world.ending }));
  } catch (cause) {
    if (!(cause instanceof PlanError && cause.code === 'PLANNER_BUSY')) throw cause;
  }
}

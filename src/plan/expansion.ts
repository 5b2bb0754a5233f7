import * as z from 'zod';

/** How large an atomic goal is; what each letter stands for is said in the schema and in the prompts. */
const sizeSchema = z.enum(['S', 'M', 'L']);

/** A text where a list of texts is asked for is one of them; what else is no list holds none. Schemas ask without a value. */
function textAlone(...[given]: readonly { readonly value: unknown }[]): string[] {
  return typeof given?.value === 'string' ? [given.value] : [];
}

const subGoalSchema = z.object({
  description: z
    .string()
    .describe('What to accomplish, in one line, specific enough to be done without its siblings’ text.'),
  reasoning: z.string().describe('Why it is atomic or not.'),
  atomic: z.boolean().describe('Whether this sub-goal is atomic itself.'),
  // What is missing or of another kind is left out: no call is repeated for it, and nothing is made up.
  acceptance: z
    .array(z.string().catch(''))
    .catch(textAlone)
    .describe('One to three checks, one line each, that show that it is done.'),
  size: sizeSchema
    .nullable()
    .catch(null)
    .describe('S: up to an hour; M: up to half a day; L: up to a day, or more when it is not atomic.'),
  touches: z
    .array(z.string().catch(''))
    .catch(textAlone)
    .describe('Paths, globs or `area:NAME` that it changes, at most eight; empty when that is not known.'),
  depends_on: z
    .array(z.int())
    .describe('Numbers of the earlier sub-goals, counted from 1, that must be complete before this one.'),
});

const proposedDecisionSchema = z.object({
  what: z.string().catch('').describe('What is decided, such as “web framework”.'),
  choice: z
    .string()
    .nullable()
    .catch(null)
    .describe('What is chosen; null when a sub-goal makes the choice.'),
  decided_by: z
    .int()
    .nullable()
    .catch(null)
    .describe('Number of the sub-goal that makes the choice, counted from 1; null when it is made here.'),
});

const NO_DECISION = { what: '', choice: null, decided_by: null };

/** What is no list counts as one decision that cannot be read, and is told as such; nothing is none. Schemas ask without a value. */
function unreadable(...[given]: readonly { readonly value: unknown }[]) {
  return given?.value == null ? [] : [NO_DECISION];
}

/**
 * Answers the planner's one question: is this goal atomic, why, and if not, which sub-goals does it have?
 * Reasoning comes before each verdict, for strict output is generated in this order.
 */
export const expansionSchema = z
  .object({
    reasoning: z.string().describe('Why it is atomic or not, in one or two sentences.'),
    atomic: z
      .boolean()
      .describe('true when one person or agent can do the goal in one sitting without planning further.'),
    decisions: z
      .array(proposedDecisionSchema.catch(NO_DECISION))
      .catch(unreadable)
      .describe('Choices that more than one sub-goal builds on, at most seven; empty when there is none.'),
    sub_goals: z.array(subGoalSchema).describe('In order of work; empty when the goal is atomic.'),
  })
  .meta({ title: 'Expansion' });

export type Size = z.infer<typeof sizeSchema>;

type Asked = z.infer<typeof subGoalSchema>;
/** A proposed sub-goal. Not every expander says how one can tell that it is done, how large it is, or what it changes. */
export type SubGoal = Omit<Asked, 'acceptance' | 'size' | 'touches'> &
  Partial<Pick<Asked, 'acceptance' | 'size' | 'touches'>>;
/** A proposed choice; a sub-goal is named by its number, counted from 1. */
export type ProposedDecision = z.infer<typeof proposedDecisionSchema>;
export type Expansion = Omit<z.infer<typeof expansionSchema>, 'sub_goals' | 'decisions'> & {
  readonly sub_goals: readonly SubGoal[];
  readonly decisions?: readonly ProposedDecision[];
};

/** Returns decisions with the sub-goals that make them under other numbers; null stands for one that is gone. */
export function renumberDecisions(
  decisions: readonly ProposedDecision[] | undefined,
  numberOf: (number: number) => number | null,
): { readonly decisions?: readonly ProposedDecision[] } {
  if (decisions === undefined) return {};
  return {
    decisions: decisions.map((decision) => ({
      ...decision,
      decided_by: decision.decided_by === null ? null : numberOf(decision.decided_by),
    })),
  };
}

import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import type { Context } from '../../../operations/shared/context.js';
import { findGoalInPlan } from '../../../operations/shared/find-plan.js';
import type { QuestionSource } from '../../../operations/shared/hooks.js';
import { draftAsAnswered } from './draft-action-plan.js';
import { refuseUnlessAtomic } from './draft-errors.js';
import { draftWithModel } from './draft-goal.js';
import { toolsFrom } from './tools-from.js';

/** The questions of the kind `action_plan`: the action plan of one goal. */
export const draftQuestions: QuestionSource<Context> = {
  async ask(context, { plan }, subject, connect) {
    if (subject.goal === undefined)
      throw new PlanError('USAGE', 'an action plan belongs to one goal', {
        hint: { commandLine: 'plan ask --kind action_plan --goal 1.2 --tools tools.yaml' },
      });
    if (subject.tools === undefined)
      throw new PlanError('USAGE', 'drafting an action plan needs a list of tools', {
        hint: {
          commandLine:
            'Name their file with --tools FILE, the same for `plan ask` and `plan answer`; `plan schema tools-v3` prints what it holds.',
        },
      });
    const goal = findGoalInPlan(plan, subject.goal);
    refuseUnlessAtomic(plan, goal);
    const tools = await toolsFrom(context, subject.tools);
    const { signal } = new AbortController();
    await draftWithModel(connect, { plan, goal, tools }, () => [], { emit: () => undefined, signal });
    return goal;
  },
  reply: withArgsAsText,
  async store(context, log, { goal, tools }, connect) {
    try {
      const plan = log.plan.header.id;
      const { id, file, findings } = await draftAsAnswered(context, goal, { tools, plan, answered: connect });
      if (id !== null) return { goal, id, file };
      return findings.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ');
    } catch (thrown) {
      if (thrown instanceof PlanError && thrown.code === 'INTERRUPTED') return 'the answer could not be read';
      throw thrown;
    }
  },
};

/** A model answers with `args` as text, which is what a strict schema can say; whoever writes by hand gives the object. */
function withArgsAsText(reply: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { steps } = reply;
  if (!Array.isArray(steps)) return reply;
  return {
    ...reply,
    steps: steps.map((step: unknown) => {
      const { data } = z.looseObject({ args: z.looseObject({}) }).safeParse(step);
      return data === undefined ? step : { ...data, args: JSON.stringify(data.args) };
    }),
  };
}

import type { EventType, PayloadOf, PlanEvent } from '../plan/events.js';
import type { Plan } from '../plan/plan.js';

/** Names a goal by its description, where the plan has it. */
type Named = (id: string) => string;
type EventOf<Type extends EventType> = { [Each in Type]: PayloadOf<Each> & { readonly type: Each } }[Type];

/** What an event did, in words. */
export function messageFor(event: PlanEvent, before: Plan | null): string {
  const named: Named = (id) => {
    const goal = before?.goals.get(id);
    return goal === undefined ? id : `“${goal.description}”`;
  };
  return describe(event, named);
}

function describe<Type extends EventType>(event: EventOf<Type>, named: Named): string {
  return MESSAGES[event.type](event, named);
}

const MESSAGES: { readonly [Type in EventType]: (event: EventOf<Type>, named: Named) => string } = {
  plan_created: ({ root }) => `made the plan “${root.description}”`,
  plan_imported: ({ plan }) => `imported the plan with ${Object.keys(plan.goals).length} goals`,
  goal_expanded: ({ goal, atomic, sub_goals }, named) =>
    atomic ? `found ${named(goal)} atomic` : `split ${named(goal)} into ${sub_goals.length}`,
  goal_failed: ({ goal, phase, reason }, named) =>
    `${phase === 'planning' ? 'marked for review' : 'failed'} ${named(goal)}: ${reason}`,
  goal_completed: ({ goal, result }, named) =>
    `completed ${named(goal)}${since(result?.summary ?? firstLine(result?.text))}`,
  goal_digested: ({ goal, made_by }, named) =>
    `digested ${named(goal)}${made_by === 'model' ? ' with the model' : ''}`,
  goal_reopened: ({ goal, reason }, named) => `reopened ${named(goal)}${since(reason)}`,
  goal_claimed: ({ goal, expires_at }, named) => `claimed ${named(goal)} until ${expires_at}`,
  claim_renewed: ({ goal, expires_at }, named) => `renewed the claim on ${named(goal)} until ${expires_at}`,
  claim_released: ({ goal, forced }, named) =>
    forced === true ? `broke the claim on ${named(goal)}` : `released ${named(goal)}`,
  goal_replanned: ({ goal, remove, sub_goals, because }, named) =>
    `replanned ${named(goal)}: ${remove.length} sub-goals went, ${sub_goals.length} came${since(because)}`,
  expansion_rolled_back: ({ goal, because }, named) =>
    `rolled back the expansion of ${named(goal)}${since(because)}`,
  goals_added: ({ parent, sub_goals, because }, named) =>
    `added ${sub_goals.map(({ description }) => `“${description}”`).join(', ')} to ${named(parent)}${since(because)}`,
  goal_edited: ({ goal, fields, because }, named) =>
    `edited ${Object.keys(fields).join(', ')} of ${named(goal)}${since(because)}`,
  goal_moved: ({ goal, parent, because }, named) =>
    `moved ${named(goal)} to ${named(parent)}${since(because)}`,
  goal_removed: ({ goal, because }, named) => `removed ${named(goal)}${since(because)}`,
  goals_merged: ({ goal, merged, description, because }, named) =>
    `merged ${[goal, ...merged].map(named).join(', ')} into “${description}”${since(because)}`,
  dependencies_changed: ({ changes }, named) => changes.map((change) => rewired(change, named)).join('; '),
  planning_started: ({ run }) => `began to plan (process ${run.pid} on ${run.host})`,
  planning_ended: () => 'ended planning',
  plan_paused: ({ because, detail }) => `paused planning (${because})${since(detail)}`,
  plan_archived: ({ because }) => `archived the plan${since(because)}`,
  plan_unarchived: ({ because }) => `brought the plan back from the archive${since(because)}`,
  action_plan_linked: ({ goal, action_plan }, named) =>
    `drafted the action plan ${action_plan} for ${named(goal)}`,
  usage_added: ({ goal, because }, named) =>
    `asked the model${goal === undefined ? '' : ` about ${named(goal)}`} without result${since(because)}`,
  change_undone: ({ undoes }) => `undid ${undoes}`,
  plan_restored: ({ reason }) => `restored the plan from its file: ${reason}`,
};

type Rewiring = PayloadOf<'dependencies_changed'>['changes'][number];

function rewired({ goal, add, remove, because }: Rewiring, named: Named): string {
  const parts = [
    ...(add.length > 0 ? [`made ${named(goal)} depend on ${add.map(named).join(', ')}`] : []),
    ...(remove.length > 0 ? [`freed ${named(goal)} of ${remove.map(named).join(', ')}`] : []),
  ];
  return `${parts.join(' and ')}${since(because)}`;
}

function firstLine(text: string | undefined): string | undefined {
  return text
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.slice(0, 200);
}

function since(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `: ${text}`;
}

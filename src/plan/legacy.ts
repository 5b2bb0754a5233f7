/**
 * A plan file of the tool that came before, brought to this format: digests that are plain strings become
 * objects, and a plan without settings stays without. Anything else is left as it was.
 * @param value what JSON.parse gave
 */
export function fromLegacy(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.goals)) return value;
  const goals = Object.entries(value.goals).map(([id, goal]) => [
    id,
    isRecord(goal) ? goalFromLegacy(goal) : goal,
  ]);
  return { ...value, goals: Object.fromEntries(goals) as unknown };
}

function goalFromLegacy(goal: Readonly<Record<string, unknown>>): unknown {
  if (typeof goal.digest !== 'string') return goal;
  return { ...goal, digest: { summary: goal.digest, key_decisions: [], artifacts: [] } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

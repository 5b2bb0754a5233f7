import type { GoalWithNumber } from '../../../operations/shared/numbered-goals.js';
import type { View } from '../../renderer.js';

/** A goal as a command takes it: its number where its plan is the one that is meant anyway, else its id. */
export async function typedGoal(
  { id, number }: Pick<GoalWithNumber, 'id' | 'number'>,
  workspace: View['workspace'],
): Promise<string> {
  const { plan } = await workspace.use({});
  const [owner, suffix = id] = id.split('-', 2);
  if (plan?.id !== owner) return id;
  return number === '' ? suffix : number;
}

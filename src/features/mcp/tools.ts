import type { PlanTool } from './tool.js';
import { actionRun } from './runs/action-run.js';
import { goalDone } from './tools/goal-done.js';
import { goalTake } from './tools/goal-take.js';
import { planAnswer } from './tools/plan-answer.js';
import { planEdit } from './tools/plan-edit.js';
import { planShow } from './tools/plan-show.js';
import { planStart } from './tools/plan-start.js';
import { planStatus } from './tools/plan-status.js';

/** Every tool, in the order of the list. */
export const TOOLS: readonly PlanTool[] = [
  planStart,
  planAnswer,
  planStatus,
  planShow,
  goalTake,
  goalDone,
  planEdit,
  actionRun,
];

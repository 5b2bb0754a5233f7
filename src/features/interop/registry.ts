import type { Feature } from '../../feature.js';
import type { Plan } from '../../plan/plan.js';
import type { OperationIn, OperationTable } from '../../operations/registered-operation.js';
import type { KeptTool } from './data-members.js';

const OPERATIONS = {
  sync: {
    group: 'change',
    after: 'rollback',
    summary: 'sync a Markdown checklist and a plan, both ways',
    load: async () => (await import('./sync/sync-checklist.js')).syncChecklist,
  },
  migrate: {
    group: 'store and settings',
    after: 'import',
    summary: 'import every plan of .frctl/plans, made by an older tool, into the store',
    load: async () => (await import('./operations/migrate-plans.js')).migratePlans,
  },
} as const satisfies OperationTable;

/** Loads what names the members that a plan has of a tool and that its export leaves out. */
const leftOut = (tool: KeptTool) => async () => {
  const { leftOutOf } = await import('./exports/original-fields.js');
  return (plan: Plan) => leftOutOf(plan, tool);
};

/** Files of other tools, and checklists. */
export const interop = {
  name: 'interop',
  operations: OPERATIONS,
  importer: {
    readFolder: async (context, path) =>
      (await import('./operations/other-tools-plans.js')).readToolFolder(context, path),
    readText: async (context, text) =>
      (await import('./operations/other-tools-plans.js')).readToolText(context, text),
    toolOf: async (text) => (await import('./tool-of.js')).toolOf(text),
    readOutline: async (text, file) => (await import('./imports/task-master.js')).readTaskMaster(text, file),
  },
  formats: {
    beads: {
      extension: 'jsonl',
      mediaType: 'application/jsonl',
      load: async () => (await import('./exports/beads.js')).toBeads,
      lost: async () => (await import('./exports/lost-parts.js')).lostInBeads,
      leftOut: leftOut('beads'),
    },
    taskmaster: {
      extension: 'taskmaster.json',
      mediaType: 'application/json',
      load: async () => (await import('./exports/taskmaster.js')).toTaskMaster,
      lost: async () => (await import('./exports/lost-parts.js')).lostInTaskMaster,
      leftOut: leftOut('taskmaster'),
    },
    github: {
      extension: 'github.json',
      mediaType: 'application/json',
      load: async () => (await import('./exports/github.js')).toGitHub,
      lost: async () => (await import('./exports/lost-parts.js')).lostInGitHub,
      leftOut: leftOut('github'),
    },
  },
  folderFormats: {
    backlog: {
      folders: ['backlog', 'backlog/tasks', 'backlog/completed', 'backlog/milestones'],
      load: async () => (await import('./exports/backlog.js')).toBacklog,
      lost: async () => (await import('./exports/lost-parts.js')).lostInBacklog,
      leftOut: leftOut('backlog'),
    },
  },
} as const satisfies Feature;

export type OperationNamed<Name extends keyof typeof OPERATIONS> = OperationIn<typeof OPERATIONS, Name>;

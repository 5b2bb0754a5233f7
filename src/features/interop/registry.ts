import type { Feature } from '../../feature.js';
import type { OperationIn, OperationTable } from '../../operations/registered-operation.js';

const OPERATIONS = {
  sync: {
    group: 'change',
    after: 'rollback',
    summary: 'keep a Markdown checklist and a plan in step, both ways',
    load: async () => (await import('./sync/sync-checklist.js')).syncChecklist,
  },
  migrate: {
    group: 'store and settings',
    after: 'import',
    summary: 'take every plan of .frctl/plans, which an older tool made, into the store',
    load: async () => (await import('./operations/migrate-plans.js')).migratePlans,
  },
} as const satisfies OperationTable;

/** Files of other tools, and checklists. */
export const interop = {
  name: 'interop',
  operations: OPERATIONS,
  importer: {
    readFolder: async (context, path) =>
      (await import('./operations/other-tools-plans.js')).readToolFolder(context, path),
    readText: async (context, text) =>
      (await import('./operations/other-tools-plans.js')).readToolText(context, text),
    readOutline: async (text, file) => (await import('./imports/task-master.js')).readTaskMaster(text, file),
  },
  formats: {
    beads: {
      extension: 'jsonl',
      mediaType: 'application/jsonl',
      load: async () => (await import('./exports/beads.js')).toBeads,
      lost: async () => (await import('./exports/lost-parts.js')).lostInBeads,
    },
    taskmaster: {
      extension: 'taskmaster.json',
      mediaType: 'application/json',
      load: async () => (await import('./exports/taskmaster.js')).toTaskMaster,
      lost: async () => (await import('./exports/lost-parts.js')).lostInTaskMaster,
    },
    github: {
      extension: 'github.json',
      mediaType: 'application/json',
      load: async () => (await import('./exports/github.js')).toGitHub,
      lost: async () => (await import('./exports/lost-parts.js')).lostInGitHub,
    },
  },
  folderFormats: {
    backlog: {
      folders: ['backlog', 'backlog/tasks', 'backlog/completed', 'backlog/milestones'],
      load: async () => (await import('./exports/backlog.js')).toBacklog,
      lost: async () => (await import('./exports/lost-parts.js')).lostInBacklog,
    },
  },
} as const satisfies Feature;

export type OperationNamed<Name extends keyof typeof OPERATIONS> = OperationIn<typeof OPERATIONS, Name>;

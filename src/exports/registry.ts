import type { Plan } from '../plan/plan.js';
import type { ExportedFile } from './exported-file.js';
import type { Picture } from './picture.js';

/** Turns a plan into the text of a format: pure, of all of it or, in a picture, of a part; the same bytes for the same plan, "\n" at the end. */
export type RenderPlan = (plan: Plan, picture?: Picture) => string;

/** A format that a plan can be written in. */
export interface ExportFormat {
  /** Of a file, without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** Loads the format's code, and with it any library, only when it is used. */
  readonly load: () => Promise<RenderPlan>;
}

/** Every format by the name a command takes, in the order of the documentation. `ascii` is the tree for terminals. */
export const EXPORT_FORMATS = {
  json: {
    extension: 'json',
    mediaType: 'application/json',
    load: async () => (await import('./json.js')).toJson,
  },
  markdown: {
    extension: 'md',
    mediaType: 'text/markdown',
    load: async () => (await import('./markdown.js')).toMarkdown,
  },
  mermaid: {
    extension: 'mmd',
    mediaType: 'text/vnd.mermaid',
    load: async () => (await import('./mermaid.js')).toMermaid,
  },
  dot: {
    extension: 'dot',
    mediaType: 'text/vnd.graphviz',
    load: async () => (await import('./dot.js')).toDot,
  },
  svg: {
    extension: 'svg',
    mediaType: 'image/svg+xml',
    load: async () => (await import('./svg.js')).toSvg,
  },
  graphml: {
    extension: 'graphml',
    mediaType: 'application/graphml+xml',
    load: async () => (await import('./graphml.js')).toGraphml,
  },
  csv: {
    extension: 'csv',
    mediaType: 'text/csv',
    load: async () => (await import('./csv.js')).toCsv,
  },
  html: {
    extension: 'html',
    mediaType: 'text/html',
    load: async () => (await import('./html.js')).toHtml,
  },
  toon: {
    extension: 'toon',
    mediaType: 'text/toon',
    load: async () => (await import('./toon.js')).toToon,
  },
  beads: {
    extension: 'jsonl',
    mediaType: 'application/jsonl',
    load: async () => (await import('../features/interop/exports/beads.js')).toBeads,
  },
  taskmaster: {
    extension: 'taskmaster.json',
    mediaType: 'application/json',
    load: async () => (await import('../features/interop/exports/taskmaster.js')).toTaskMaster,
  },
  github: {
    extension: 'github.json',
    mediaType: 'application/json',
    load: async () => (await import('../features/interop/exports/github.js')).toGitHub,
  },
  ascii: {
    extension: 'txt',
    mediaType: 'text/plain',
    load: async () => (await import('./ascii.js')).toAscii,
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;

/** The name of a format. */
export type ExportFormatName = keyof typeof EXPORT_FORMATS;

/** Every name, in the order of the table. */
export const EXPORT_FORMAT_NAMES: readonly ExportFormatName[] =
  Object.keys(EXPORT_FORMATS).filter(isExportFormat);

/** The formats that are a folder of files, by the name a command takes. */
export const FOLDER_FORMATS = {
  backlog: {
    /** The folders in which no file may stand yet: all that it can write to. */
    folders: ['backlog', 'backlog/tasks', 'backlog/completed', 'backlog/milestones'],
    load: async () => (await import('../features/interop/exports/backlog.js')).toBacklog,
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly folders: readonly string[];
      readonly load: () => Promise<(plan: Plan) => readonly ExportedFile[]>;
    }
  >
>;

/** The name of a format that is a folder. */
export type FolderFormatName = keyof typeof FOLDER_FORMATS;

/** Every name, in the order of the table. */
export const FOLDER_FORMAT_NAMES: readonly FolderFormatName[] =
  Object.keys(FOLDER_FORMATS).filter(isFolderFormat);

function isExportFormat(name: string): name is ExportFormatName {
  return Object.hasOwn(EXPORT_FORMATS, name);
}

/** Whether a format is a folder of files. */
export function isFolderFormat(name: string): name is FolderFormatName {
  return Object.hasOwn(FOLDER_FORMATS, name);
}

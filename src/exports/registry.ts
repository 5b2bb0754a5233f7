import type { Plan } from '../plan/plan.js';
import type { ExportedFile } from './exported-file.js';
import type { FoundInPlan } from './found-in-plan.js';
import type { Picture } from './picture.js';

/** Turns a plan into the text of a format: pure, of all of it or, in a picture, of a part; the same bytes for the same plan, "\n" at the end. */
export type RenderPlan = (plan: Plan, picture?: Picture, findings?: readonly FoundInPlan[]) => string;

/** A format that a plan can be written in. */
export interface ExportFormat {
  /** Of a file, without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** Whether it is for people, and tells them what looks wrong. */
  readonly hasFindings?: true;
  /** Loads the format's code, and with it any library, only when it is used. */
  readonly load: () => Promise<RenderPlan>;
  readonly lost?: () => Promise<LostParts>;
  /** Loads what names the members of another tool that are left out, for they are not known to be data. */
  readonly leftOut?: () => Promise<LostParts>;
}

/** A format that is a folder of files. */
export interface FolderFormat {
  /** The folders in which no file may stand yet: all that it can write to. */
  readonly folders: readonly string[];
  readonly load: () => Promise<(plan: Plan) => readonly ExportedFile[]>;
  readonly lost?: () => Promise<LostParts>;
  /** Loads what names the members of another tool that are left out, for they are not known to be data. */
  readonly leftOut?: () => Promise<LostParts>;
}

/** What of a plan a format does not hold, in words. */
export type LostParts = (plan: Plan) => readonly string[];

/** The formats of the core by the name a command takes, in the order of the documentation. `ascii` is the tree for terminals. */
export const EXPORT_FORMATS = {
  json: {
    extension: 'json',
    mediaType: 'application/json',
    load: async () => (await import('./json.js')).toJson,
  },
  markdown: {
    extension: 'md',
    mediaType: 'text/markdown',
    hasFindings: true,
    load: async () => (await import('./markdown.js')).toMarkdown,
    lost: async () => (await import('./lost-details.js')).lostDetails,
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
    lost: async () => (await import('./lost-details.js')).lostDetails,
  },
  html: {
    extension: 'html',
    mediaType: 'text/html',
    hasFindings: true,
    load: async () => (await import('./html.js')).toHtml,
    lost: async () => (await import('./lost-details.js')).lostDetails,
  },
  toon: {
    extension: 'toon',
    mediaType: 'text/toon',
    load: async () => (await import('./toon.js')).toToon,
  },
  ascii: {
    extension: 'txt',
    mediaType: 'text/plain',
    load: async () => (await import('./ascii.js')).toAscii,
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;

/** The formats of files, and of folders of files, by the names a command takes. */
export interface Formats<File extends string = string, Folder extends string = string> {
  readonly files: Readonly<Record<File, ExportFormat>>;
  readonly folders: Readonly<Record<Folder, FolderFormat>>;
}

/** The formats of the core. */
export const CORE_FORMATS = { files: EXPORT_FORMATS, folders: {} };

/** Returns the name of every format, those of files first, in the order of the tables. */
export function formatNames<File extends string, Folder extends string>(
  formats: Formats<File, Folder>,
): readonly (File | Folder)[] {
  return [...fileFormatNames(formats), ...namesOf(formats.folders)];
}

/** Returns the name of every format of files, in the order of the table. */
export function fileFormatNames<File extends string>({
  files,
}: Pick<Formats<File>, 'files'>): readonly File[] {
  return namesOf(files);
}

/** Whether a format is a folder of files. */
export function isFolderFormat<Folder extends string>(
  { folders }: Pick<Formats<string, Folder>, 'folders'>,
  name: string,
): name is Folder {
  return Object.hasOwn(folders, name);
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name));
}

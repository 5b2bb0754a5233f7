import type { EXPORT_FORMATS, ExportFormat, FolderFormat, Formats } from './exports/registry.js';
import type { Feature } from './feature.js';
import { actions } from './features/actions/registry.js';
import { agents } from './features/agents/registry.js';
import { interop } from './features/interop/registry.js';
import { kits } from './features/kits/registry.js';
import { mcp } from './features/mcp/registry.js';
import { page } from './features/page/registry.js';
import { rules } from './features/rules/registry.js';
import { runs } from './features/runs/registry.js';
import { teams } from './features/teams/registry.js';
import type { InputIn, ResultIn } from './operations/registered-operation.js';
import { OPERATIONS } from './operations/registry.js';

const LIST = [
  actions,
  runs,
  kits,
  rules,
  teams,
  page,
  mcp,
  interop,
  agents,
] as const satisfies readonly Feature[];

/** Every feature, in the order in which the core asks them. */
export const FEATURES: readonly Feature[] = LIST;

type Each = (typeof LIST)[number];
type NamesIn<Member extends keyof Feature> = Each extends infer F
  ? F extends Readonly<Record<Member, infer Table>>
    ? keyof Table & string
    : never
  : never;

/** The rows that features bring, in one table. */
function brought<Row>(rowsOf: (feature: Feature) => Readonly<Record<string, Row>> | undefined) {
  return Object.fromEntries(FEATURES.flatMap((feature) => Object.entries(rowsOf(feature) ?? {})));
}

// What a table holds, the types say by the same rows that it is made of.
/* oxlint-disable typescript/no-unsafe-type-assertion */

/** Returns the formats to write a plan in, of the core and of the features. */
export async function allFormats() {
  const { ascii, ...others } = (await import('./exports/registry.js')).EXPORT_FORMATS;
  return {
    // The tree for terminals comes last.
    files: { ...others, ...brought<ExportFormat>(({ formats }) => formats), ascii },
    folders: brought<FolderFormat>(({ folderFormats }) => folderFormats),
  } as Formats<keyof typeof EXPORT_FORMATS | NamesIn<'formats'>, NamesIn<'folderFormats'>>;
}

/** The operations of the core that take, or tell, the name of any format. */
const IN_FORMATS = {
  tree: {
    ...OPERATIONS.tree,
    load: async () => (await import('./operations/reading/plan-tree.js')).planTreeIn(await allFormats()),
  },
  export: {
    ...OPERATIONS.export,
    load: async () => (await import('./operations/reading/export-plan.js')).exportPlanIn(await allFormats()),
  },
};

type Brought<F> = (F extends { readonly operations: infer Table } ? (table: Table) => void : never) extends (
  table: infer All,
) => void
  ? All
  : never;

/** Every operation, of the core and of the features, by the name of its command. */
export type AllOperations = Omit<typeof OPERATIONS, keyof typeof IN_FORMATS> &
  typeof IN_FORMATS &
  Brought<Each>;

export const ALL_OPERATIONS = {
  ...OPERATIONS,
  ...IN_FORMATS,
  ...brought(({ operations }) => operations),
} as AllOperations;

export type OperationName = keyof AllOperations;

/** What an operation takes. */
export type InputOf<Name extends OperationName> = InputIn<AllOperations, Name>;

/** What an operation comes to. */
export type ResultOf<Name extends OperationName> = ResultIn<AllOperations, Name>;

/** A plan in another format. */
export type ExportedPlan = ResultOf<'export'>;

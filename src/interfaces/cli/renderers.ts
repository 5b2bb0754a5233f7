import type { OperationName, OperationNamed } from '../../operations/registry.js';
import type { Renderer, RendererOf } from './renderer.js';

/** How the result of each operation is shown; each is imported only when it is needed. */
export const RENDERERS: {
  readonly [Name in OperationName]: () => Promise<RendererOf<OperationNamed<Name>>>;
} = {
  init: async () => (await import('./render/planned.js')).planned,
  list: async () => (await import('./render/list.js')).list,
  status: async () => (await import('./render/status.js')).status,
  show: async () => (await import('./render/show.js')).show,
  tree: async () => (await import('./render/tree.js')).tree,
  waves: async () => (await import('./render/waves.js')).waves,
  coverage: async () => (await import('./render/coverage.js')).coverage,
  export: async () => (await import('./render/export.js')).exported,
  log: async () => (await import('./render/log.js')).log,
  diff: async () => (await import('./render/diff.js')).diff,
  next: async () => (await import('./render/next.js')).next,
  claim: async () => (await import('./render/claim.js')).claim,
  renew: async () => (await import('./render/claim.js')).renew,
  release: async () => (await import('./render/release.js')).release,
  context: async () => (await import('./render/context.js')).context,
  fail: async () => (await import('./render/fail.js')).fail,
  reopen: async () => (await import('./render/reopen.js')).reopen,
  add: async () => (await import('./render/change.js')).change,
  edit: async () => (await import('./render/change.js')).change,
  move: async () => (await import('./render/change.js')).change,
  remove: async () => (await import('./render/change.js')).change,
  merge: async () => (await import('./render/change.js')).change,
  depend: async () => (await import('./render/change.js')).change,
  rollback: async () => (await import('./render/change.js')).change,
  undo: async () => (await import('./render/undo.js')).undo,
  resume: async () => (await import('./render/planned.js')).planned,
  pause: async () => (await import('./render/pause.js')).pause,
  split: async () => (await import('./render/replanned.js')).split,
  replan: async () => (await import('./render/replanned.js')).replan,
  'dependencies infer': async () => (await import('./render/dependencies.js')).inferDependencies,
  'dependencies check': async () => (await import('./render/dependencies.js')).checkDependencies,
  validate: async () => (await import('./render/validate.js')).validate,
  doctor: async () => (await import('./render/doctor.js')).doctor,
  import: async () => (await import('./render/import.js')).imported,
  migrate: async () => (await import('./render/import.js')).migrate,
  archive: async () => (await import('./render/archive.js')).archive,
  restore: async () => (await import('./render/archive.js')).restore,
  delete: async () => (await import('./render/archive.js')).deleted,
  schema: async () => (await import('./render/schema.js')).schema,
};

/** The renderer of an operation by its name. */
export const RENDERER_OF: ReadonlyMap<string, () => Promise<Renderer>> = new Map(Object.entries(RENDERERS));

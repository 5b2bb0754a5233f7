import type { OperationName, OperationNamed } from '../../operations/registry.js';
import type { Renderer, RendererOf } from './renderer.js';

/** How the result of each operation is shown; each is imported only when it is needed. */
export const RENDERERS: {
  readonly [Name in OperationName]: () => Promise<RendererOf<OperationNamed<Name>>>;
} = {
  list: async () => (await import('./render/list.js')).list,
  next: async () => (await import('./render/next.js')).next,
  claim: async () => (await import('./render/claim.js')).claim,
  renew: async () => (await import('./render/claim.js')).renew,
  release: async () => (await import('./render/release.js')).release,
};

/** The renderer of an operation by its name. */
export const RENDERER_OF: ReadonlyMap<string, () => Promise<Renderer>> = new Map(Object.entries(RENDERERS));

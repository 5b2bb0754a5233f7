import { PlanError } from '../../kernel/errors.js';
import type { OpenedStore } from '../../storage/opened-store.js';
import type { Environment } from './environment.js';

/** Something that a feature keeps in a store beside plans; its type goes with its name. */
export interface Part<T> {
  readonly name: string;
  readonly of?: T;
}

/** How a part is opened in one kind of store; its function imports code when it is called. */
export interface PartOpener<T = unknown> {
  readonly part: Part<T>;
  /** The kind of store; null for a part that needs none. */
  readonly store: string | null;
  /** Whether there is anything of it, found out without opening it; there may be when it is left out. */
  has?(this: void, store: OpenedStore): boolean;
  open(this: void, store: OpenedStore, environment: Environment): Promise<T>;
}

/** Makes a row of `parts`; what is opened is of the type that goes with the name. */
export function partOpener<T>(opener: PartOpener<T>): PartOpener {
  return opener;
}

/** What features keep in a store beside plans. */
export interface Parts {
  /**
   * @param kind of a store that is meant whichever the project uses
   * @throws PlanError STORE_NOT_FOUND, INVALID_CONFIG where no database is named; WRONG_STATE where no feature brings it
   */
  part<T>(part: Part<T>, kind?: string): Promise<T>;
  /** The same; null where this kind of store has none, or nothing of it. */
  partIfAny<T>(part: Part<T>, kind?: string): Promise<T | null>;
}

/** The stores that parts are in. */
interface PartedStores {
  readonly kindInUse: () => string;
  readonly opened: (kind: string) => Promise<OpenedStore>;
  /** @throws PlanError STORE_NOT_FOUND where there is no store of a kind, or none at all */
  readonly refuseMissing: (kind: string | undefined) => void;
}

/** Returns what finds parts, and opens them. */
export function partsIn(
  features: readonly { readonly parts?: readonly PartOpener[] }[],
  environment: Environment,
  { kindInUse, opened, refuseMissing }: PartedStores,
): Parts {
  const openers = features.flatMap(({ parts = [] }) => parts);
  const find = <T>(part: Part<T>, kind: string) => {
    const found = openers.find(
      ({ part: { name }, store }) => name === part.name && (store === null || store === kind),
    );
    // Of one name are openers of one type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return found as PartOpener<T> | undefined;
  };
  return {
    async part(part, kind) {
      refuseMissing(kind);
      const meant = kind ?? kindInUse();
      const opener = find(part, meant);
      if (opener !== undefined) return opener.open(await opened(meant), environment);
      throw new PlanError('WRONG_STATE', `nothing here keeps ${part.name} in this store`);
    },
    async partIfAny(part, kind = kindInUse()) {
      const opener = find(part, kind);
      if (opener === undefined) return null;
      const store = await opened(kind);
      return opener.has?.(store) === false ? null : opener.open(store, environment);
    },
  };
}

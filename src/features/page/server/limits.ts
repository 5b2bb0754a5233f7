/** What bounds the memory and the sockets that readers can take. */
export interface Limits {
  /** So long may a connection be open without saying what it wants, in milliseconds. */
  readonly requestMs: number;
  /** So long may a reader take for a piece of an answer, in milliseconds, before it is dropped. */
  readonly pieceMs: number;
  /** So many connections of each kind; one more, and the oldest of them is closed. */
  readonly connections: number;
}

export const LIMITS: Limits = { requestMs: 5000, pieceMs: 30_000, connections: 64 };

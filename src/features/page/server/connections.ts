import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * What a connection is there for: nothing yet, a file of the page, an answer to whoever has the token, or a stream. None of
 * them can take the place of another kind.
 */
export type ConnectionKind = 'silent' | 'file' | 'answer' | 'stream';

/** The connections of a server, of which there are so many at most. */
export interface Connections {
  /** Takes in a new one, for which the oldest that says nothing has to go. */
  open(socket: Socket): void;
  /**
   * Notes what a connection is used for, until that is answered.
   * @returns false where it asks for more before it has taken the last answer, which no browser does; it is closed then
   */
  use(socket: Socket, kind: ConnectionKind, response: ServerResponse): boolean;
}

/** Bounds the connections of each kind. @param most so many of each; the oldest is closed for one more */
export function boundedConnections(most: number): Connections {
  const kinds = new Map<Socket, ConnectionKind>();
  const answers = new WeakMap<Socket, ServerResponse>();
  const put = (socket: Socket, kind: ConnectionKind) => {
    if (socket.destroyed) return;
    // The newest is the last.
    kinds.delete(socket);
    const same = [...kinds].filter(([, each]) => each === kind);
    for (const [oldest] of same.slice(0, Math.max(0, same.length - most + 1))) oldest.destroy();
    kinds.set(socket, kind);
  };
  return {
    open(socket) {
      socket.once('close', () => kinds.delete(socket));
      put(socket, 'silent');
    },
    use(socket, kind, response) {
      if (answers.get(socket)?.writableFinished === false) {
        socket.destroy();
        return false;
      }
      answers.set(socket, response);
      put(socket, kind);
      response.once('finish', () => put(socket, 'silent'));
      return true;
    },
  };
}

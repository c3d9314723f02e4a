import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The open connections of a server, each with its latest exchange. Node keeps such a list too, but its own
 * `closeIdleConnections` spares a connection that has sent nothing yet, as browsers open them ahead of need.
 */
export class Connections {
  readonly #latest = new Map<Duplex, ServerResponse | undefined>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#latest.set(socket, undefined);
      socket.once('close', () => this.#latest.delete(socket));
    });
  }

  /** Notes that an exchange has begun on its connection. */
  begin(response: ServerResponse): void {
    this.#latest.set(response.req.socket, response);
  }

  /** The exchange that still runs on a connection, if one does. */
  running(socket: Duplex): ServerResponse | undefined {
    const response = this.#latest.get(socket);
    return response !== undefined && !isOver(response) ? response : undefined;
  }

  /** Closes the idle connections now and each other one after its exchange. */
  closeWhenIdle(): void {
    for (const socket of this.#latest.keys()) this.#closeWhenIdle(socket);
  }

  /** Closes all connections, whatever they are doing. */
  destroyAll(): void {
    for (const socket of this.#latest.keys()) socket.destroy();
  }

  #closeWhenIdle(socket: Duplex): void {
    const response = this.running(socket);
    if (response === undefined) {
      socket.destroy();
      return;
    }
    const party = response.writableFinished ? response.req : response;
    party.once('close', () => this.#closeWhenIdle(socket));
  }
}

const isOver = (response: ServerResponse): boolean =>
  response.destroyed || (response.writableFinished && response.req.complete);

/** A proxy has not opened the way to a server, so that the server has seen nothing. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
  /** What the proxy answered; undefined when it gave no answer. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

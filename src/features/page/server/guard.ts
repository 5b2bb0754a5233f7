import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is not answered. */
export interface Refused {
  readonly status: 400 | 401 | 403 | 405 | 421;
  readonly message: string;
  readonly hint: string;
}

/** What a request says of itself, as far as it matters. */
export interface Asking {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a request asks for. */
export interface Target {
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * What the first line of a request that is to pass the guard asks for, or null where it is not written as a browser
 * writes it: a whole address, `//`, and `.` or `..` in it would be one thing to whoever checks it and another to
 * whoever answers it.
 */
export function requestTarget(url: string): Target | null {
  const [path = ''] = url.split('?', 1);
  if (!path.startsWith('/') || path.startsWith('//') || !URL.canParse(url, BASE)) return null;
  const { pathname, searchParams } = new URL(url, BASE);
  return pathname === path ? { path, query: searchParams } : null;
}

/** What a server allows. */
export interface Allowed {
  readonly port: number;
  /** The name that this server alone has, beside those of loopback. */
  readonly name: string;
  /** Whether goals can be changed. */
  readonly write: boolean;
  readonly isToken: (given: string) => boolean;
}

const BASE = 'http://127.0.0.1';
const OWN_URL = 'Open the address that `plan serve` printed.';

/**
 * Why the guard refuses a request, or null. A page of another site can have a browser send requests here: by a name
 * of its own that leads to this machine, or across origins. The first is told by `Host`, the second by `Origin` and
 * `Sec-Fetch-Site`; and neither has the token, which is never in a cookie.
 */
export function requestRefusal({ method, path, headers }: Asking, allowed: Allowed): Refused | null {
  const host = headers.host?.toLowerCase() ?? '';
  if (![...LOOPBACK_NAMES, allowed.name].some((name) => hostsOf(name, allowed.port).includes(host)))
    return { status: 421, message: 'this server does not have that name', hint: OWN_URL };
  const foreign = { status: 403, message: 'the request comes from another site', hint: OWN_URL } as const;
  const site = headers['sec-fetch-site'];
  const isData = path.startsWith('/api/');
  // The file by which `--open` has the browser begin; no other site knows the name.
  const isOpened =
    !isData &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    hostsOf(allowed.name, allowed.port).includes(host);
  if ((site === 'cross-site' && !isOpened) || (isData && site === 'same-site')) return foreign;
  if (headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${host}`) return foreign;
  const isActing = path.startsWith('/api/operations/');
  if (method !== (isActing ? 'POST' : 'GET') || (isActing && !allowed.write))
    return {
      status: 405,
      message: `${method.slice(0, 20)} is not supported here`,
      hint: allowed.write
        ? `Use ${isActing ? 'POST' : 'GET'}.`
        : '`plan serve --write` lets the page change goals.',
    };
  if (!isData || path === '/api/session') return null;
  const token = guardedToken(headers);
  if (token !== null && allowed.isToken(token)) return null;
  return { status: 401, message: 'the token is missing or wrong', hint: OWN_URL };
}

/** The refusal of a request whose target is none. */
export const NO_TARGET: Refused = {
  status: 400,
  message: 'the address of the request is not written as a browser writes it',
  hint: OWN_URL,
};

/** The token by which the guard lets a request in, from `Authorization`. */
export function guardedToken(headers: IncomingHttpHeaders): string | null {
  return /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1] ?? null;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** What `Host` says of a request to a name of this server; a browser leaves the usual port out. */
function hostsOf(name: string, port: number): readonly string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}

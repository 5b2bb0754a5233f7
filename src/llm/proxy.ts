import { Buffer } from 'node:buffer';

import { PlanError } from '../kernel/errors.js';
import { isExemptFromProxy } from './no-proxy.js';

/** A proxy that requests to a server go through. */
export interface Proxy {
  /** Where it is, without credentials. */
  readonly url: URL;
  /** Its address and the variable that names it, as people may see it. */
  readonly shown: string;
  /** Headers for the proxy alone: `proxy-authorization`, where the variable holds credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** What nobody may see of the credentials, in every form in which they are written or sent. */
  readonly secrets: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that some environment variables name for requests to `server`: HTTP_PROXY or HTTPS_PROXY by its protocol,
 * else ALL_PROXY; none where NO_PROXY names it. The name in small letters counts more, and an empty one says nothing.
 * @throws PlanError INVALID_CONFIG for a value that is no http or https proxy; the value is not repeated
 */
export function proxyFor(server: string, variables: Variables): Proxy | undefined {
  const url = new URL(server);
  const named = [`${url.protocol.slice(0, -1)}_proxy`, 'all_proxy'].flatMap((name) =>
    [name, name.toUpperCase()].filter((variable) => (variables[variable] ?? '').trim() !== ''),
  );
  const [variable] = named;
  if (variable === undefined || isExemptFromProxy(url, noProxyOf(variables))) return undefined;
  return proxyOf((variables[variable] ?? '').trim(), variable, url.hostname);
}

function noProxyOf({ no_proxy: small, NO_PROXY: capital }: Variables): string {
  return small === undefined || small === '' ? (capital ?? '') : small;
}

function proxyOf(value: string, variable: string, host: string): Proxy {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw new PlanError('INVALID_CONFIG', `${variable} names no http or https proxy`, {
      hint: {
        commandLine: `Set it to one such as http://proxy.example:3128, or reach the server without one: NO_PROXY=${host}.`,
      },
      details: { variable },
    });
  const { username, password } = url;
  const address = new URL(`${url.protocol}//${url.host}`);
  return {
    url: address,
    shown: `the proxy ${address.origin} (${variable})`,
    ...credentialsOf(username, password),
  };
}

function credentialsOf(username: string, password: string): Pick<Proxy, 'headers' | 'secrets'> {
  if (username === '' && password === '') return { headers: {}, secrets: [] };
  const plain = [decoded(username), decoded(password)];
  const sent = Buffer.from(plain.join(':')).toString('base64');
  return {
    headers: { 'proxy-authorization': `Basic ${sent}` },
    secrets: [sent, password, decoded(password)],
  };
}

// A percent sign that escapes nothing stands for itself.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Whether NO_PROXY says that a server is reached without a proxy. Its entries are between commas or blanks: a name for
 * itself and all names below it, with or without a leading `.` or `*.`; an IP address; a block of them
 * (`10.0.0.0/8`); each also for one port (`name:8080`); `*` for everything. Names are not looked up, and nothing is exempt
 * unless it is named: `localhost` is not 127.0.0.1.
 */
export function isExemptFromProxy(server: URL, noProxy: string): boolean {
  const host = plainHost(server.hostname);
  const port = server.port === '' ? (DEFAULT_PORTS[server.protocol] ?? '') : server.port;
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, named = '', wanted] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [undefined, entry];
  if (wanted !== undefined && Number(wanted) !== Number(port)) return false;
  const address = plainHost(named);
  if (isIP(host) !== 0) return includes(address, host);
  const name = domainToASCII(address.replace(/^\*?\./, ''));
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

function includes(entry: string, host: string): boolean {
  const [address = '', bits] = entry.split('/');
  const family = familyOf(address);
  const most = family === 'ipv6' ? 128 : 32;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  if (family === undefined || prefix > most) return false;
  const block = new BlockList();
  block.addSubnet(address, prefix, family);
  return block.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const family = isIP(address);
  return family === 0 ? undefined : family === 6 ? 'ipv6' : 'ipv4';
}

/** Without the brackets of an address and the dot at the end of a name. */
function plainHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

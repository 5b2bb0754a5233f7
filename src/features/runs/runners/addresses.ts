import { BlockList, isIP } from 'node:net';

const PRIVATE = privateAddresses();

function privateAddresses(): BlockList {
  const list = new BlockList();
  const v4: readonly (readonly [string, number])[] = [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ];
  const v6: readonly (readonly [string, number])[] = [
    // 64:ff9b::/96 and 2002::/16 hold an address of IPv4, 2001::/32 a hidden one.
    ['::', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001::', 32],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
  ];
  for (const [address, bits] of v4) list.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of v6) list.addSubnet(address, bits, 'ipv6');
  return list;
}

/**
 * Whether an IP address is a private one, and not of the public network: this machine, its neighbours, a cloud's
 * metadata.
 */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%[^]*/, '');
  // An IPv4 address within an IPv6 one is what counts; the list knows `::ffff:` by itself.
  return isIP(bare) === 0 || PRIVATE.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether the address of a URL says itself that its host is this machine or one beside it. */
export function isPrivateHost(host: string): boolean {
  const bare = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return isIP(bare) === 0 ? bare === 'localhost' || bare.endsWith('.localhost') : isPrivateAddress(bare);
}

import { BlockList, isIP } from 'node:net'

/** Addresses that are not routed on the internet. */
const local = new BlockList()
local.addSubnet('127.0.0.0', 8)
local.addSubnet('10.0.0.0', 8)
local.addSubnet('172.16.0.0', 12)
local.addSubnet('192.168.0.0', 16)
local.addSubnet('169.254.0.0', 16)
local.addAddress('::1', 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')

/** All that the login history stores of an address. */
export function networkOf(ip: string): 'local' | 'ipv4' | 'ipv6' {
  // Node writes the zone of a link-local address after it.
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  const version = isIP(address)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  return version !== 0 && local.check(address, family) ? 'local' : family
}

import { BlockList, isIPv6 } from 'node:net'

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

/** All that the log-in history stores of an address. */
export function networkOf(ip: string): 'local' | 'ipv4' | 'ipv6' {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  return local.check(address, family) ? 'local' : family
}

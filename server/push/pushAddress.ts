import { lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

/** Whether messages may be sent to a network address. A test allows its own server's. */
export type AllowsAddress = (address: string) => boolean

/** Networks of this machine, of private networks, and of special use: a subscription that names one is meant to reach the venue's own. */
const closed = new BlockList()
const closedNetworks = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const
for (const [network, bits] of closedNetworks) closed.addSubnet(network, bits)
// Of IPv6 only the addresses that are routed on the internet are open, and of these not those that stand for an IPv4 one.
const open = new BlockList()
open.addSubnet('2000::', 3, 'ipv6')
closed.addSubnet('2001::', 23, 'ipv6')
closed.addSubnet('2002::', 16, 'ipv6')

/** Whether an address is on the internet. */
export const isPublicAddress: AllowsAddress = (address) => {
  const version = isIP(address)
  if (version === 4) return !closed.check(address, 'ipv4')
  return version === 6 && open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/** Whether a subscription may name this address: https on the usual port, at a name or at an allowed network address. */
export function isPushAddress(text: string, allows: AllowsAddress): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username } = new URL(text)
  if (protocol !== 'https:' || username !== '') return false
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return allows(host)
  // A name of one part, and `localhost`, belong to the venue's own network.
  return port === '' && /\.[a-z][a-z0-9-]*$/i.test(host) && !/(^|\.)(localhost|local|internal)$/i.test(host)
}

/** Resolves names as the system does, but only to allowed addresses: what a name leads to is decided when it is used. */
export const guardedLookup =
  (allows: AllowsAddress): LookupFunction =>
  (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const allowed = found.filter(({ address }) => allows(address))
      const [first] = allowed
      if (!first) return callback(new Error(`${name} has no address that messages may be sent to`), '')
      return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family)
    })
  }

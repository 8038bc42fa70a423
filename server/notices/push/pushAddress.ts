import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Whether messages may be sent to a network address. A test allows its own server's. */
export type AllowsAddress = (address: string) => boolean

/** Networks of this machine, of private networks, and of special use: a name that leads there is meant to reach the venue's own. */
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
// Of IPv6 only the addresses that are routed on the internet are open, and of these not those that map to an IPv4
// address.
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

/** The push services of browsers: each name covers itself and every name below it. */
export const browserPushServices: readonly string[] = [
  // Chrome, Edge on Android, Samsung Internet, Opera and Brave.
  'fcm.googleapis.com',
  // The same for Chromium without Google's keys, as Linux distributions build it.
  'jmt17.google.com',
  // Firefox.
  'push.services.mozilla.com',
  // Safari.
  'push.apple.com',
  // Edge on Windows.
  'notify.windows.com',
]

/** Whether a subscription may name this address: https on its own port, at one of the services. */
export function isPushAddress(text: string, services: readonly string[]): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  const isPlain = port === '' && username === '' && password === ''
  if (protocol !== 'https:' || !isPlain) return false
  return services.some((service) => hostname === service || hostname.endsWith(`.${service}`))
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

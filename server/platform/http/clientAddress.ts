import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Which proxies in front of the venue are trusted: how many, their addresses, or none. */
export type TrustProxy = number | string[] | false

type Trust = (address: string, hop: number) => boolean

/** A number counts the proxies in front of the venue: that many of the nearest are trusted, none further away. */
export function trustProxyOption(proxies: TrustProxy): Trust | string[] | false {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/** The client address of a request that does not go through Fastify; the same as its `request.ip`. */
export function clientAddressOf(proxies: TrustProxy): (request: IncomingMessage) => string {
  const trust = trustProxyOption(proxies)
  return (request) =>
    (trust === false ? null : proxyAddr(request, trust)) ?? request.socket.remoteAddress ?? ''
}

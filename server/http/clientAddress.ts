import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Which proxies in front of the venue are believed: how many, their addresses, or none. */
export type TrustProxy = number | string[] | false

type Trust = (address: string, hop: number) => boolean

/** A number counts the proxies in front of the venue; the nearest ones are believed, an address further out is not. */
export function trustProxyOption(proxies: TrustProxy): Trust | string[] | false {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/** The address of whoever sent a request that Fastify does not see; the same one as its `request.ip`. */
export function clientAddressOf(proxies: TrustProxy): (request: IncomingMessage) => string {
  const trust = trustProxyOption(proxies)
  return (request) =>
    (trust === false ? null : proxyAddr(request, trust)) ?? request.socket.remoteAddress ?? ''
}

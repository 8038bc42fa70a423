import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { clientAddressOf, type TrustProxy } from '../../../../server/platform/http/clientAddress.ts'
import { openHttpApp } from '../../../support/httpApp.ts'

const near = '10.0.0.1'
const member = '203.0.113.7'
const forged = '198.51.100.9'

it.each<[string, TrustProxy, string, string]>([
  ['no proxy is trusted', false, member, near],
  ['one proxy, which adds to what the client wrote', 1, `${forged}, ${member}`, member],
  ['two proxies', 2, `${forged}, ${member}, 10.0.0.2`, member],
  ['the address of the proxy', [near], `${forged}, ${member}`, member],
  ['another address than that of the proxy', ['10.0.0.9'], member, near],
])('the client address with %s, for calls and sockets', async (_what, trustProxy, forwarded, address) => {
  const headers = { 'x-forwarded-for': forwarded, 'x-real-ip': forged, forwarded: `for=${forged}` }
  const handshake = { headers, socket: { remoteAddress: near } } as unknown as IncomingMessage
  expect(clientAddressOf(trustProxy)(handshake)).toBe(address)
  const { app } = await openHttpApp({}, { trustProxy })
  app.get('/ip', async (request) => ({ ip: request.ip }))
  const answer = await app.inject({ url: '/ip', headers, remoteAddress: near })
  expect(answer.json()).toEqual({ ip: address })
  await app.close()
})

import { createECDH, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { PushPayload } from '../../../../contract/push.ts'
import { createWebPush } from '../../../../server/notices/push/webPush.ts'

type Ece = { decrypt(body: Buffer, params: object): Buffer }
/** What encrypts in the library under test; here it is the browser, which decrypts. */
const ece = createRequire(createRequire(import.meta.url).resolve('web-push'))('http_ece') as Ece

let server: Server
let port: number
let status = 201
const received: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
const pem = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../fixtures/tls', name), 'utf8')
const certificate = { key: pem('key.pem'), cert: pem('certificate.pem') }
const isOwn = (address: string): boolean => address === '127.0.0.1'

beforeAll(async () => {
  server = createServer(certificate, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(pieces) })
      response.writeHead(status, { Location: 'https://127.0.0.1/elsewhere' })
      // It never ends: only the status is waited for.
      response.write('text')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received.length = 0
  status = 201
})

const payload: PushPayload = { kind: 'above', productId: 'TEST', code: 'TEST/USD', price: '105.00' }
const browser = createECDH('prime256v1')
const keys = {
  p256dh: browser.generateKeys().toString('base64url'),
  auth: randomBytes(16).toString('base64url'),
}
const services = ['localhost']
const transportOf = (allowsAddress = isOwn) =>
  createWebPush(services, { port, allowsAddress, ca: certificate.cert })
async function send(transport = transportOf()): Promise<number> {
  return transport.send({
    subscription: { endpoint: 'https://localhost/send/1', keys },
    payload,
    keys: await transport.createKeys(),
    contact: 'https://uptick.example',
    keepMs: 3_600_000,
  })
}

it('sends a notification that only the browser can read, signed by the venue', async () => {
  expect(await send()).toBe(201)
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received
  expect(headers).toMatchObject({ ttl: '3600', urgency: 'high', 'content-encoding': 'aes128gcm' })
  expect(headers['authorization']).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/)
  const claims = Buffer.from(String(headers['authorization']).split('.')[1] ?? '', 'base64url').toString()
  expect(JSON.parse(claims)).toMatchObject({
    aud: 'https://localhost',
    sub: 'https://uptick.example',
  })
  expect(body.toString('latin1')).not.toContain('TEST')
  const decrypted = ece.decrypt(body, { version: 'aes128gcm', privateKey: browser, authSecret: keys.auth })
  expect(JSON.parse(decrypted.toString())).toEqual(payload)
})

it.each([302, 404, 410, 429, 500])('returns the status %i, whatever else the answer has', async (code) => {
  status = code
  expect(await send()).toBe(code)
  expect(received).toHaveLength(1)
})

it('rejects a server whose certificate it does not know', async () => {
  await expect(send(createWebPush(services, { port, allowsAddress: isOwn }))).rejects.toThrow(
    /certificate|self.signed/i,
  )
})

it('does not connect to an address that is not allowed, nor to a service that is not listed', async () => {
  await expect(send(transportOf(() => false))).rejects.toThrow('has no address that messages may be sent to')
  const others = createWebPush(['push.example'], { port, allowsAddress: isOwn, ca: certificate.cert })
  expect(others.allows('https://localhost/send/1')).toBe(false)
  await expect(send(others)).rejects.toThrow('not allowed')
  expect(received).toEqual([])
})

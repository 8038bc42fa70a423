// @vitest-environment happy-dom
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUploader } from '../../../src/api/uploader.ts'
import { muteFailedRequests } from '../../support/failedRequests.ts'

muteFailedRequests()

type ReceivedRequest = { url: string | undefined; headers: IncomingHttpHeaders; body: string }
let server: Server
let base = ''
let answer: { status: number; body: string } | 'hang' = { status: 201, body: '{"uploadId":"u1"}' }
let received: ReceivedRequest | undefined
let endedCount = 0
const port = { token: () => 'token', onEnded: () => void (endedCount += 1) }
const picture = new Blob(['picture'], { type: 'image/jpeg' })

const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*, X-CSRF-Token',
  'Access-Control-Expose-Headers': 'Server-Time',
}

beforeEach(async () => {
  received = undefined
  endedCount = 0
  server = createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, cors).end()
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received = { url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() }
      if (answer !== 'hang')
        response.writeHead(answer.status, { ...cors, 'Server-Time': '42' }).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})
const send = (signal?: AbortSignal) =>
  createUploader(port, base)({ purpose: 'id_front', picture, ...(signal ? { signal } : {}) })

it('sends the picture and its purpose as a form, with the token', async () => {
  answer = { status: 201, body: '{"uploadId":"u1"}' }
  expect(await send()).toEqual({ ok: true, value: { uploadId: 'u1' }, at: 42 })
  expect(received?.url).toBe('/api/uploads')
  expect(received?.headers['x-csrf-token']).toBe('token')
  expect(received?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(received?.body).toMatch(/name="purpose"\r\n\r\nid_front/)
  expect(received?.body).toMatch(/name="file"; filename="[^"]+"\r\nContent-Type: image\/jpeg/)
})

it('returns a rejection with its code, and reports the end of the session', async () => {
  answer = { status: 413, body: '{"error":{"code":"FILE_TOO_LARGE","requestId":"r"}}' }
  expect(await send()).toMatchObject({
    ok: false,
    failure: { kind: 'rejected', status: 413, code: 'FILE_TOO_LARGE' },
  })
  expect(endedCount).toBe(0)
  answer = { status: 401, body: '{"error":{"code":"UNAUTHENTICATED","requestId":"r"}}' }
  expect(await send()).toMatchObject({ ok: false, failure: { code: 'UNAUTHENTICATED' } })
  expect(endedCount).toBe(1)
})

it.each([
  [502, '<html>'],
  [201, '{"other":1}'],
  [201, 'nothing'],
])('returns broken for %i %s', async (status, body) => {
  answer = { status, body }
  expect(await send()).toEqual({ ok: false, failure: { kind: 'broken' } })
})

it('returns offline if no server answers', async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()))
  expect(await send()).toEqual({ ok: false, failure: { kind: 'offline' } })
})

it('stops when aborted', async () => {
  answer = 'hang'
  const controller = new AbortController()
  const upload = send(controller.signal)
  controller.abort()
  expect(await upload).toEqual({ ok: false, failure: { kind: 'timeout' } })
})

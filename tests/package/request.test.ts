import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { readJson, request } from '../../packages/uptick/src/cli/request.ts'
import { orTimeout } from '../../packages/uptick/src/cli/waitingRequest.ts'
import { withServer } from '../support/withServer.ts'

const { signal } = new AbortController()

it('follows the redirects of a GET, with its headers, but not without an end', async () => {
  const { url } = await withServer(({ url: path, headers }, response) => {
    if (path === '/old') response.writeHead(308, { location: 'new' }).end()
    else if (path === '/round') response.writeHead(302, { location: '/round' }).end()
    else response.end(JSON.stringify({ path, accept: headers.accept }))
  })
  const answer = await request(`${url}/old`, { signal, headers: { accept: 'a' } })
  expect(await readJson(answer)).toEqual({ path: '/new', accept: 'a' })
  expect((await request(`${url}/round`, { signal })).statusCode).toBe(302)
})

it('sends a body nowhere else', async () => {
  const seen: string[] = []
  const other = await withServer((_, response) => void response.end(void seen.push('other')))
  const { url } = await withServer((_, response) => response.writeHead(307, { location: other.url }).end())
  const answer = await request(url, { method: 'POST', body: 'secret', signal })
  expect(answer.statusCode).toBe(307)
  expect(seen).toEqual([])
})

it('asks again on another connection if the server closes the one that was kept', async () => {
  const seen: string[] = []
  const { server, url } = await withServer(({ url: path = '', socket }, response) => {
    seen.push(path)
    if (path === '/second' && seen.length === 2) socket.destroy()
    else response.end('[1]')
  })
  let connections = 0
  server.on('connection', () => connections++)
  expect(await readJson(await request(`${url}/first`, { signal }))).toEqual([1])
  expect(await readJson(await request(`${url}/second`, { signal }))).toEqual([1])
  expect(seen).toEqual(['/first', '/second', '/second'])
  expect(connections).toBe(2)
})

it('rejects with a TypeError if nothing answers, and reads no JSON of other text', async () => {
  const { server, url } = await withServer((_, response) => response.end('<html>'))
  expect(await readJson(await request(url, { signal }))).toBeUndefined()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await expect(request(url, { signal })).rejects.toThrow(TypeError)
  await expect(request(url, { signal: AbortSignal.abort() })).rejects.toThrow(TypeError)
})

it('ends after a time, also if nobody else holds what ends it', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const aborted = once(orTimeout(signal, 500), 'abort')
  for (let i = 0; i < 5; i++) {
    await setImmediate()
    collectGarbage()
  }
  await aborted
})

import { afterEach, expect, it, vi } from 'vitest'
import { networkTimeoutMs } from '../../contract/constants.ts'
import { memberRoutes } from '../../contract/member.ts'
import { askByFetch } from '../../packages/uptick/src/askByFetch.ts'
import { askByHttp } from '../../packages/uptick/src/cli/request.ts'
import { venueClient, type Ask } from '../../packages/uptick/src/venueClient.ts'
import { withServer } from '../support/withServer.ts'

afterEach(() => void vi.useRealTimers())

const session = { token: 'token', cookie: 'sid=1' }
const failureOf = async (url: string, ask: Ask) => {
  const result = await venueClient(url, ask, session)(memberRoutes.me, {})
  return result.ok ? undefined : result.failure.kind
}

it.each([
  ['fetch', askByFetch],
  ["Node's own HTTP", askByHttp],
])('a call by %s says whether the line broke, the answer is late, or it is no JSON', async (_, ask) => {
  const { url: cut } = await withServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"id":', () => response.destroy())
  })
  expect(await failureOf(cut, ask)).toBe('offline')

  const { url: text } = await withServer((_request, response) => response.end('<html>'))
  expect(await failureOf(text, ask)).toBe('broken')

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let begin = (): void => undefined
  const hasBegun = new Promise<void>((resolve) => (begin = resolve))
  const { url: slow } = await withServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"id":', () => begin())
  })
  const late = failureOf(slow, ask)
  await hasBegun
  await vi.advanceTimersByTimeAsync(networkTimeoutMs)
  expect(await late).toBe('timeout')
})

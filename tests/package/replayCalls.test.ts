import { asyncScheduler } from 'rxjs'
import { expect, it } from 'vitest'
import { routes } from '../../contract/routes.ts'
import type { Route } from '../../contract/route.ts'
import { parseRecording } from '../../contract/recording.ts'
import { createReplayMarket } from '../../streams/replay/replayMarket.ts'
import { missingPackages } from '../../packages/uptick/src/cli/command.ts'
import { answerCall } from '../../packages/uptick/src/cli/replayCalls.ts'
import { replayProduct } from '../../packages/uptick/src/replayedMarket.ts'

it('a replay answers each call that needs a member with 401, and no other call', () => {
  const recording = parseRecording('ts_ms,price,size,bid,ask\n1700000000000,10.5,1,,\n', 1)
  const market = createReplayMarket([replayProduct('A', recording)], { speed: 1, scheduler: asyncScheduler })
  const reads = Object.values(routes as Record<string, Route>).filter(({ method }) => method === 'GET')
  const refused = reads.filter(({ path }) => {
    const url = new URL(`http://replay/api${path.replaceAll(/:\w+/g, 'A')}`)
    return answerCall(market, 'GET', url).status === 401
  })
  expect(refused.map(({ path }) => path)).toEqual(
    reads.filter(({ member }) => member).map(({ path }) => path),
  )
  expect(refused.length).toBeGreaterThan(20)
})

it('a command whose packages are not installed names all of them at once', async () => {
  const failed = (message: string): Error =>
    Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
  const missing = (name: string): Error => failed(`Cannot find package '${name}' imported from /a/cli.js`)
  const there = new Set(['zod/mini', 'ws'])
  const load = (name: string) => (there.has(name) ? Promise.resolve({}) : Promise.reject(missing(name)))
  expect(
    await missingPackages(missing('rxjs'), ['@a/b/c.js', 'zod/mini', 'rxjs', 'socket.io'], load),
  ).toEqual(['rxjs', '@a/b', 'socket.io'])
  expect(await missingPackages(failed("Cannot find module '/a/b.js'"), ['rxjs'], load)).toEqual([])
  expect(await missingPackages(new Error('else'), ['rxjs'], load)).toEqual([])
})

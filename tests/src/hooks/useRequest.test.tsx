// @vitest-environment happy-dom
import { act } from 'react'
import { BehaviorSubject } from 'rxjs'
import { expect, it } from 'vitest'
import type { Result } from '../../../src/api/result.ts'
import { StreamsProvider } from '../../../src/hooks/useStreams.ts'
import { useRequest } from '../../../src/hooks/useRequest.ts'
import { valueOf } from '../../../src/hooks/useObservable.ts'
import type { Connection, Streams } from '../../../streams/index.ts'
import { notConnected } from '../../../streams/connection.ts'
import { mount, one } from '../ui/mount.tsx'

type Answer = Result<number>
const offline: Answer = { ok: false, failure: { kind: 'offline' } }

function Probe({ load, once }: { load: () => Promise<Answer>; once: boolean }) {
  const { loadable } = useRequest(load, { once })
  return (
    <p>
      {loadable.state} {valueOf(loadable)}
    </p>
  )
}

/** A page with a connection that can go down and up; its requests get the answers in turn. */
async function showPage(answers: readonly Answer[], once: boolean) {
  const up: Connection = { ...notConnected, state: 'online' }
  const connection$ = new BehaviorSubject(up)
  let requestCount = 0
  const load = async () => answers[requestCount++] ?? offline
  const streams = { connection$ } as unknown as Streams
  await mount(
    <StreamsProvider value={streams}>
      <Probe load={load} once={once} />
    </StreamsProvider>,
  )
  return {
    requestCount: () => requestCount,
    reconnect: () =>
      act(async () => {
        connection$.next({ ...up, state: 'reconnecting' })
        connection$.next(up)
      }),
  }
}
const answer = (value: number): Answer => ({ ok: true, value, at: 0 })

it('requests again after each reconnect', async () => {
  const { requestCount, reconnect } = await showPage([answer(1), answer(2)], false)
  expect(one('p').textContent).toBe('ready 1')
  await reconnect()
  expect([requestCount(), one('p').textContent]).toEqual([2, 'ready 2'])
})

it.each<[what: string, first: Answer, requests: number, shown: string]>([
  ['keeps an answer', answer(1), 1, 'ready 1'],
  ['requests again after a failure', offline, 2, 'ready 2'],
])('with `once`: %s', async (_, first, requests, shown) => {
  const { requestCount, reconnect } = await showPage([first, answer(2)], true)
  await reconnect()
  expect([requestCount(), one('p').textContent]).toEqual([requests, shown])
})

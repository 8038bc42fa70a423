// @vitest-environment happy-dom
import { act } from 'react'
import { BehaviorSubject } from 'rxjs'
import { expect, it } from 'vitest'
import type { Result } from '../../../src/api/result.ts'
import { StreamsProvider } from '../../../src/hooks/useStreams.ts'
import { useRequest, valueOf } from '../../../src/hooks/useRequest.ts'
import { notConnected } from '../../../src/shell/connection.ts'
import type { Connection, Streams } from '../../../streams/index.ts'
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

/** A page on a line that can go down and up; what it asks is answered in turn. */
async function page(answers: readonly Answer[], once: boolean) {
  const up: Connection = { ...notConnected, state: 'online' }
  const connection$ = new BehaviorSubject(up)
  let asked = 0
  const load = async () => answers[asked++] ?? offline
  const streams = { connection$ } as unknown as Streams
  await mount(
    <StreamsProvider value={streams}>
      <Probe load={load} once={once} />
    </StreamsProvider>,
  )
  return {
    asked: () => asked,
    reconnect: () =>
      act(async () => {
        connection$.next({ ...up, state: 'reconnecting' })
        connection$.next(up)
      }),
  }
}
const answer = (value: number): Answer => ({ ok: true, value, at: 0 })

it('asks again each time the line is up again', async () => {
  const { asked, reconnect } = await page([answer(1), answer(2)], false)
  expect(one('p').textContent).toBe('ready 1')
  await reconnect()
  expect([asked(), one('p').textContent]).toEqual([2, 'ready 2'])
})

it.each<[what: string, first: Answer, asked: number, shown: string]>([
  ['keeps an answer', answer(1), 1, 'ready 1'],
  ['asks again where there was none', offline, 2, 'ready 2'],
])('what is asked for once: %s', async (_, first, times, shown) => {
  const { asked, reconnect } = await page([first, answer(2)], true)
  await reconnect()
  expect([asked(), one('p').textContent]).toEqual([times, shown])
})

// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { blockedAfterMs } from '../../../contract/constants.ts'
import type { Client } from '../../../src/api/client.ts'
import { createFindPolling } from '../../../src/api/findPolling.ts'
import { useSocketBlocked } from '../../../src/hooks/useSocketBlocked.ts'
import { setSocketBlocked } from '../../../src/state/socketBlocked.ts'
import { watchSocket } from '../../../src/api/watchSocket.ts'
import { streamsSetup } from '../../support/streamsSetup.ts'
import { mount, one } from '../ui/mount.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function Shown() {
  return <p>{useSocketBlocked() ? 'blocked' : ''}</p>
}
const shown = (): string => one('p').textContent
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** A client whose socket never connects, of a venue that answers calls or does not. The wire asks as `wire.ts` does. */
async function open(answers: { ok: boolean }, longPolling = false) {
  const { streams, transport } = streamsSetup()
  const call = vi.fn(async () => ({ ok: answers.ok, value: { longPolling }, at: 1 }))
  const { findPolling, answer$ } = createFindPolling(call as unknown as Client)
  const asking = setInterval(() => void findPolling(), blockedAfterMs)
  const watch = watchSocket(streams, answer$)
  onTestFinished(() => {
    clearInterval(asking)
    watch.unsubscribe()
    setSocketBlocked(false)
  })
  const { render } = await mount(<Shown key="first" />)
  return { call, transport, goTo: (page: string) => render(<Shown key={page} />) }
}

it('says so after 20 s without a connection, if the venue answers, until there is one', async () => {
  const { call, transport } = await open({ ok: true })
  await advance(blockedAfterMs - 1)
  expect([shown(), call.mock.calls.length]).toEqual(['', 0])
  await advance(1)
  expect([shown(), call.mock.calls.length]).toEqual(['blocked', 1])
  await act(async () => transport.attempt(7))
  await act(async () => transport.up())
  expect(shown()).toBe('')
})

it('does not say so while the venue answers nothing, and asks again', async () => {
  const answers = { ok: false }
  await open(answers)
  await advance(blockedAfterMs)
  expect(shown()).toBe('')
  answers.ok = true
  await advance(blockedAfterMs)
  expect(shown()).toBe('blocked')
})

it('counts from the loss of the connection, whichever pages are opened meanwhile', async () => {
  const { goTo } = await open({ ok: true })
  await advance(blockedAfterMs - 1)
  await goTo('second')
  expect(shown()).toBe('')
  await advance(1)
  expect(shown()).toBe('blocked')
  await goTo('third')
  expect(shown()).toBe('blocked')
})

it('does not say so while the device is offline', async () => {
  await open({ ok: true })
  await advance(blockedAfterMs)
  expect(shown()).toBe('blocked')
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await act(async () => void dispatchEvent(new Event('offline')))
  expect(shown()).toBe('')
  onLine.mockRestore()
  await act(async () => void dispatchEvent(new Event('online')))
  expect(shown()).toBe('blocked')
})

it('says so later where the venue allows long polling, which is tried first', async () => {
  const answers = { ok: false }
  await open(answers, true)
  // While the venue is away, nothing is tried.
  await advance(blockedAfterMs)
  answers.ok = true
  await advance(2 * blockedAfterMs - 1)
  expect(shown()).toBe('')
  await advance(1)
  expect(shown()).toBe('blocked')
})

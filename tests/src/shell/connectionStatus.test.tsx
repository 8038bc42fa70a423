// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import en from '../../../locales/en.json' with { type: 'json' }
import { ConnectionNote, ConnectionStatus } from '../../../src/shell/ConnectionStatus.tsx'
import { openPage } from '../../support/openPage.tsx'
import { streamsSetup } from '../../support/streamsSetup.ts'
import { one } from '../ui/mount.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The line of a page with prices, three seconds after the connection is lost. */
async function lineOf(isDeviceOnline: boolean): Promise<string> {
  const { streams, transport, passSecond } = streamsSetup()
  await openPage(<ConnectionStatus />, { streams })
  await act(async () => transport.up())
  await act(passSecond)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isDeviceOnline)
  await act(async () => transport.down())
  await act(() => vi.advanceTimersByTimeAsync(3000))
  return one('output').parentElement?.textContent ?? ''
}

it('says that the device is offline, on pages with prices too', async () => {
  expect(await lineOf(false)).toContain(en.connection.offlineAsOf.replace('{{time}}', ''))
})

it('says that it connects again while the device has a network', async () => {
  expect(await lineOf(true)).toContain(en.connection.reconnecting)
})

it('says that it connects, not again, before the first connection', async () => {
  const { streams } = streamsSetup()
  await openPage(<ConnectionNote>Bitcoin</ConnectionNote>, { streams })
  expect(document.body.textContent).toContain('Bitcoin')
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(one('output').textContent).toBe(en.connection.connecting)
})

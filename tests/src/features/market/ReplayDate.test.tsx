// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { ReplayDate } from '../../../../src/features/market/ReplayDate.tsx'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const periodMs = 86_400_000
const source = 'recording: A (2024-08-08), looped'

it.each([
  ['the first pass', 0, 'Mirrored 8 Aug 2024'],
  ['the second pass', periodMs, 'Replay 8 Aug 2024'],
  ['the third pass', 2 * periodMs, 'Mirrored 8 Aug 2024'],
])('a row says whether %s of a replay is mirrored', async (_, sinceEpoch, text) => {
  const { streams, transport, passSecond } = streamsSetup(['A'])
  transport.up()
  await passSecond()
  const epoch = streams.clock.now() - sinceEpoch
  const product = { source, lastAt: epochMs(0), passes: { epoch, periodMs } }
  const { container } = await openPage(<ReplayDate product={product} className={undefined} />, { streams })
  expect(container.textContent).toBe(text)
})

it.each([
  [0, 'Mirrored 8 Aug 2024'],
  [periodMs, 'Replay 8 Aug 2024'],
])('before the venue’s time is known, the last price tells it: %i ms after the epoch', async (at, text) => {
  const { streams } = streamsSetup(['A'])
  const epoch = 1_000_000
  const product = { source, lastAt: epochMs(epoch + at), passes: { epoch, periodMs } }
  const { container } = await openPage(<ReplayDate product={product} className={undefined} />, { streams })
  expect(container.textContent).toBe(text)
})

it('turns to the next pass when it begins, not with the next minute', async () => {
  const { streams, transport, passSecond } = streamsSetup(['A'])
  transport.up()
  await passSecond()
  const epoch = streams.clock.now() + 1500 - periodMs
  const product = { source, lastAt: epochMs(0), passes: { epoch, periodMs } }
  const { container } = await openPage(<ReplayDate product={product} className={undefined} />, { streams })
  expect(container.textContent).toBe('Mirrored 8 Aug 2024')
  for (let second = 0; second < 3; second++) await act(passSecond)
  expect(container.textContent).toBe('Replay 8 Aug 2024')
})

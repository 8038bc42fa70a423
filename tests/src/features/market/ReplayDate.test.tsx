// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { epochMs } from '../../../../contract/brand.ts'
import { ReplayDate } from '../../../../src/features/market/ReplayDate.tsx'
import { StreamsProvider } from '../../../../src/hooks/useStreams.ts'
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { setup } from '../../../support/streamsSetup.ts'
import { mount } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const periodMs = 86_400_000
const source = 'recording: A (2024-08-08), looped'

it.each([
  ['the first pass', 0, 'Mirrored 8 Aug 2024'],
  ['the second pass', periodMs, 'Replay 8 Aug 2024'],
  ['the third pass', 2 * periodMs, 'Mirrored 8 Aug 2024'],
])('a row says whether %s of a replay is mirrored', async (_, sinceEpoch, text) => {
  const { streams, transport, passSecond } = setup(['A'])
  transport.up()
  await passSecond()
  const epoch = streams.clock.now() - sinceEpoch
  const product = { source, lastAt: epochMs(0), passes: { epoch, periodMs } }
  const { container } = await mount(
    <StreamsProvider value={streams}>
      <ReplayDate product={product} className={undefined} />
    </StreamsProvider>,
  )
  expect(container.textContent).toBe(text)
})

it.each([
  [0, 'Mirrored 8 Aug 2024'],
  [periodMs, 'Replay 8 Aug 2024'],
])('before the venue’s time is known, the last price tells it: %i ms after the epoch', async (at, text) => {
  const { streams } = setup(['A'])
  const epoch = 1_000_000
  const product = { source, lastAt: epochMs(epoch + at), passes: { epoch, periodMs } }
  const { container } = await mount(
    <StreamsProvider value={streams}>
      <ReplayDate product={product} className={undefined} />
    </StreamsProvider>,
  )
  expect(container.textContent).toBe(text)
})

it('turns to the next pass when it begins, not with the next minute', async () => {
  const { streams, transport, passSecond } = setup(['A'])
  transport.up()
  await passSecond()
  const epoch = streams.clock.now() + 1500 - periodMs
  const product = { source, lastAt: epochMs(0), passes: { epoch, periodMs } }
  const { container } = await mount(
    <StreamsProvider value={streams}>
      <ReplayDate product={product} className={undefined} />
    </StreamsProvider>,
  )
  expect(container.textContent).toBe('Mirrored 8 Aug 2024')
  for (let second = 0; second < 3; second++) await act(passSecond)
  expect(container.textContent).toBe('Replay 8 Aug 2024')
})

// @vitest-environment happy-dom
import { NEVER, of } from 'rxjs'
import { expect, it } from 'vitest'
import { AssetsCard } from '../../../../src/features/account/AssetsCard.tsx'
import { openPage } from '../../../support/openPage.tsx'

const streams = (assets: unknown) => ({
  clock: { now: () => 0, synced: true, second$: of(0) },
  connection$: NEVER,
  event$: () => NEVER,
  assets$: of(assets),
  refresh: () => undefined,
})

const dashes = (text: string | null): number => (text ?? '').split('—').length - 1

it.each([
  ['loading', { state: 'loading' }, 0],
  ['failed', { state: 'failed', failure: { kind: 'offline' } }, 3],
] as const)('shows dashes and a retry only if assets have failed: %s', async (_, assets, count) => {
  const { container } = await openPage(<AssetsCard showTodayPnl cells={['available', 'todayPnl']} />, {
    streams: streams(assets),
  })
  expect(dashes(container.textContent)).toBe(count)
  expect(container.textContent?.includes('Try again')).toBe(count > 0)
})

// @vitest-environment happy-dom
import { NEVER, of } from 'rxjs'
import { beforeAll, expect, it } from 'vitest'
import { StreamsProvider } from '../../../../src/hooks/useStreams.ts'
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { AssetsCard } from '../../../../src/features/account/AssetsCard.tsx'
import type { Streams } from '../../../../streams/index.ts'
import { mount } from '../../ui/mount.tsx'

const streams = (assets: unknown) =>
  ({
    clock: { now: () => 0, synced: true, second$: of(0) },
    connection$: NEVER,
    event$: () => NEVER,
    assets$: of(assets),
    refresh: () => undefined,
  }) as unknown as Streams

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

const dashes = (text: string | null): number => (text ?? '').split('—').length - 1

it.each([
  ['loading', { state: 'loading' }, 0],
  ['failed', { state: 'failed', failure: { kind: 'offline' } }, 3],
] as const)('shows dashes and a retry only if assets have failed: %s', async (_, assets, count) => {
  const { container } = await mount(
    <StreamsProvider value={streams(assets)}>
      <AssetsCard showTodayPnl cells={['available', 'todayPnl']} />
    </StreamsProvider>,
  )
  expect(dashes(container.textContent)).toBe(count)
  expect(container.textContent?.includes('Try again')).toBe(count > 0)
})

// @vitest-environment happy-dom
import { act } from 'react'
import { Subject } from 'rxjs'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import en from '../../../../locales/en.json' with { type: 'json' }
import { StreamsProvider } from '../../../../src/hooks/useStreams.ts'
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { useResumedPlacements } from '../../../../src/pages/product/useResumedPlacements.ts'
import { currentToasts, dismissToast, toast } from '../../../../src/ui/toastStore.ts'
import type { Placement, Streams } from '../../../../streams/index.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { mount } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
afterEach(() => dismissToast())

const placed = 'Order placed'

function Resumed() {
  useResumedPlacements('A', () => toast({ text: placed }))
  return null
}

async function openPage() {
  const resumed$ = new Subject<Placement>()
  await mount(
    <StreamsProvider value={{ orders: { resumed$ } } as unknown as Streams}>
      <Resumed />
    </StreamsProvider>,
  )
  return async (key: string, state: Placement['state']) => {
    const placement = { state, intent: { key, productId: 'A' }, order: sampleOrder() }
    await act(async () => resumed$.next(placement as unknown as Placement))
    return currentToasts().map(({ text }) => text)
  }
}

describe('useResumedPlacements', () => {
  it.each([
    ['accepted', placed],
    ['expired', en.ticket.resumedGone],
  ] as const)('replaces the toast of the check once the order is %s', async (state, text) => {
    const report = await openPage()
    expect(await report('a', 'unknown')).toEqual([en.ticket.resumed])
    expect(await report('a', state)).toEqual([text])
  })
  it('keeps the toast while another order is checked', async () => {
    const report = await openPage()
    await report('a', 'unknown')
    await report('b', 'unknown')
    expect(await report('a', 'accepted')).toEqual([en.ticket.resumed, placed])
    expect(await report('b', 'accepted')).toEqual([placed])
  })
})

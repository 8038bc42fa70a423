// @vitest-environment happy-dom
import { act } from 'react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { StreamsProvider } from '../../../../src/hooks/useStreams.ts'
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { ConfirmSheet } from '../../../../src/pages/product/ConfirmSheet.tsx'
import { afterPlacement, asking } from '../../../../src/pages/product/placement.ts'
import type { Placing } from '../../../../src/pages/product/placement.ts'
import type { Failure, IntentDraft } from '../../../../streams/index.ts'
import { scene } from '../../../support/streams.ts'
import { mount } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

const draft: IntentDraft = { productId: 'A', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
const intent = { ...draft, key: 'k', validUntil: 1 }
const refused = (code: string, params: Record<string, unknown> = {}): Failure => ({
  kind: 'refused',
  status: 409,
  code,
  params,
  fields: {},
  at: 0,
})

async function openSheet(ready: boolean) {
  const { streams, market } = scene(['A'])
  const answer = await market.api.product('A')
  const sheet = (placing: Placing) => (
    <StreamsProvider value={streams}>
      <ConfirmSheet
        product={answer}
        placing={placing}
        off={undefined}
        ready={ready}
        onClose={() => undefined}
        onConfirm={() => undefined}
      />
    </StreamsProvider>
  )
  const { render } = await mount(sheet(asking(draft)))
  await act(() => vi.waitFor(() => expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull()))
  return (placing: Placing) => render(sheet(placing))
}

const confirmButton = (): HTMLElement => {
  const buttons = [...document.querySelectorAll<HTMLElement>('[role="dialog"] button')]
  const found = buttons.find((node) => node.textContent?.includes('10.00'))
  if (found === undefined) throw new Error('no button confirms')
  return found
}

describe('the sheet that confirms an order', () => {
  it.each([
    ['a changed rate', refused('RATE_CHANGED', { rateBp: 8000 }), 'from 85% to 80%'],
    ['prices that are not up to date', refused('FEED_STALE'), 'not up to date'],
  ])('asks again after %s, and the focus is still on its button', async (_what, failure, words) => {
    const show = await openSheet(false)
    await act(async () => confirmButton().focus())
    await show({ step: 'sending', draft })
    await show({ step: 'unknown', draft })
    await show(afterPlacement(draft, { state: 'refused', intent, failure }))
    expect(document.querySelector('[role="alert"]')?.textContent).toContain(words)
    expect(document.activeElement).toBe(confirmButton())
  })
})

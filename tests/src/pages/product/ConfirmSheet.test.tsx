// @vitest-environment happy-dom
import { act } from 'react'
import { describe, expect, it } from 'vitest'
import { ConfirmSheet } from '../../../../src/pages/product/ConfirmSheet.tsx'
import { afterPlacement, reviewing, type PlacementState } from '../../../../src/pages/product/placement.ts'
import type { Failure, OrderDraft } from '../../../../streams/index.ts'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'
import { pollScreen } from '../../ui/mount.tsx'

const draft: OrderDraft = { productId: 'A', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
const intent = { ...draft, key: 'k', validUntil: 1 }
const rejected = (code: string, params: Record<string, unknown> = {}): Failure => ({
  kind: 'rejected',
  status: 409,
  code,
  params,
  fields: {},
  at: 0,
})

async function openSheet(focusConfirm: boolean) {
  const { streams, market } = streamsSetup(['A'])
  const answer = await market.api.product('A')
  const sheet = (placement: PlacementState) => (
    <ConfirmSheet
      product={answer}
      placement={placement}
      blockReason={undefined}
      focusConfirm={focusConfirm}
      onClose={() => undefined}
      onConfirm={() => undefined}
    />
  )
  const { render } = await openPage(sheet(reviewing(draft)), { streams })
  await pollScreen(() => document.activeElement?.closest('[role="dialog"]') ?? null).not.toBeNull()
  return (placement: PlacementState) => render(sheet(placement))
}

const confirmButton = (): HTMLElement => {
  const buttons = [...document.querySelectorAll<HTMLElement>('[role="dialog"] button')]
  const button = buttons.find((node) => node.textContent?.includes('10.00'))
  if (button === undefined) throw new Error('there is no confirm button')
  return button
}

describe('ConfirmSheet', () => {
  it.each([
    ['a changed rate', rejected('RATE_CHANGED', { rateBp: 8000 }), 'from 85% to 80%'],
    ['prices that are not up to date', rejected('FEED_STALE'), 'isn’t updating'],
    ['prices without a witness', rejected('FEED_STALE', { reason: 'witness' }), 'second source'],
  ])(
    'requires another confirmation after %s, with the focus still on its button',
    async (_what, failure, notice) => {
      const show = await openSheet(false)
      await act(async () => confirmButton().focus())
      await show({ step: 'sending', draft })
      await show({ step: 'unknown', draft })
      await show(afterPlacement(draft, { state: 'rejected', intent, failure }))
      expect(document.querySelector('[role="alert"]')?.textContent).toContain(notice)
      expect(document.activeElement).toBe(confirmButton())
    },
  )
})

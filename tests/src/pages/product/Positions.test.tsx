// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import en from '../../../../locales/en.json' with { type: 'json' }
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { Positions } from '../../../../src/pages/product/Positions.tsx'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { session } from '../../../../src/state/session.ts'
import type { Order } from '../../../../streams/index.ts'
import { mount } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

const renderedText = async (open: readonly Order[] | undefined, wide: boolean): Promise<string> => {
  await mount(<Positions open={open} settled={[]} onDismiss={() => undefined} wide={wide} badged={false} />)
  return document.body.textContent ?? ''
}

afterEach(() => {
  session.appInfo = null
})

describe('Positions', () => {
  it('shows an empty state on a wide screen once the orders are loaded', async () => {
    expect(await renderedText([], true)).toContain(en.home.noPositions)
  })
  it.each<[what: string, open: readonly Order[] | undefined, wide: boolean]>([
    ['until the orders are loaded', undefined, true],
    ['on a phone', [], false],
  ])('shows no empty state %s', async (_, open, wide) => {
    expect(await renderedText(open, wide)).not.toContain(en.product.positions)
  })
  it.each([
    ['has the practice badge while the ticket is not shown', true],
    ['leaves the practice badge to the ticket', false],
  ])('%s', async (_, badged) => {
    session.appInfo = { mode: 'practice' } as typeof session.appInfo
    const order = sampleOrder({ status: 'won', pnl: '80.00' })
    await mount(<Positions open={[]} settled={[order]} onDismiss={() => undefined} wide badged={badged} />)
    expect((document.body.textContent ?? '').includes(en.common.practice)).toBe(badged)
  })
})

// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import en from '../../../../locales/en.json' with { type: 'json' }
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { Positions } from '../../../../src/pages/product/Positions.tsx'
import type { Order } from '../../../../streams/index.ts'
import { mount } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

const renderedText = async (open: readonly Order[] | undefined, wide: boolean): Promise<string> => {
  await mount(<Positions open={open} settled={[]} onDismiss={() => undefined} wide={wide} />)
  return document.body.textContent ?? ''
}

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
})

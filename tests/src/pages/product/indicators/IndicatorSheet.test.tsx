// @vitest-environment happy-dom
import { act } from 'react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { priceUnits, type PriceUnits } from '../../../../../contract/units.ts'
import en from '../../../../../locales/en.json' with { type: 'json' }
import { changeLanguage, startI18n } from '../../../../../src/text/i18n.ts'
import { IndicatorSheet } from '../../../../../src/pages/product/indicators/IndicatorSheet.tsx'
import {
  linesMax,
  readChartSettings,
  setIndicator,
  setLines,
} from '../../../../../src/state/chartSettings.ts'
import type { ProductDetail } from '../../../../../streams/index.ts'
import { click, mount, one } from '../../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => {
  setLines('EURUSD', [])
  setIndicator('MACD', { on: false, params: [12, 26, 9] })
})

const texts = en.indicators
const product = { id: 'EURUSD', priceDecimals: 5 } as ProductDetail
const open = (price?: PriceUnits) =>
  mount(
    <IndicatorSheet product={product} open price={price} onClose={() => undefined} container={undefined} />,
  )

/** The field whose label is this, and typing into it. */
function field(label: string): HTMLInputElement {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)
  return one(`#${CSS.escape(found?.htmlFor ?? '')}`) as HTMLInputElement
}
const type = (label: string, text: string) =>
  act(async () => {
    const input = field(label)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
const errorOf = (label: string): string | null | undefined =>
  document.getElementById(field(label).getAttribute('aria-describedby') ?? '')?.textContent
const button = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll('button')].find(
    (each) => each.textContent === name || each.getAttribute('aria-label') === name,
  )
  if (found === undefined) throw new Error(`no button ${name}`)
  return found
}

describe('the sheet of indicators', () => {
  it('switches one on, applies its parameters while they are valid, and restores the defaults', async () => {
    await open()
    await click(one('[role="switch"][aria-label^="MACD"]'))
    expect(readChartSettings().indicators.MACD.on).toBe(true)
    await type(texts.param.fast, '30')
    expect(errorOf(texts.param.fast)).toBe(texts.error.order)
    expect(readChartSettings().indicators.MACD.params).toEqual([12, 26, 9])
    await type(texts.param.slow, '60')
    expect(errorOf(texts.param.fast)).toBeUndefined()
    expect(readChartSettings().indicators.MACD.params).toEqual([30, 60, 9])
    await type(texts.param.signal, 'x')
    expect(errorOf(texts.param.signal)).toBe('Enter a whole number from 2 to 500')
    await click(button(texts.defaults))
    expect(readChartSettings().indicators.MACD.params).toEqual([12, 26, 9])
    expect(field(texts.param.signal).value).toBe('9')
  })

  it('offers the price of the menu as it is written in the member’s language', async () => {
    await changeLanguage('de')
    await open(priceUnits(114_275))
    const [price] = document.querySelectorAll<HTMLInputElement>('form input')
    expect(price?.value).toBe('1,14275')
    await click(one('form button'))
    expect(readChartSettings().lines['EURUSD']).toEqual([{ units: 114_275, name: '' }])
    await changeLanguage('en')
  })

  it('adds a line at the price of the menu, changes and removes it', async () => {
    await open(priceUnits(114_275))
    expect(field(texts.linePrice).value).toBe('1.14275')
    await type(texts.lineName, 'Support')
    await click(button(texts.addLine))
    expect(readChartSettings().lines['EURUSD']).toEqual([{ units: 114_275, name: 'Support' }])
    await click(button('Edit line 1.14275 Support'))
    await type(texts.linePrice, '0')
    await click(button(texts.saveLine))
    expect(errorOf(texts.linePrice)).toBe('Enter a price above 0. Decimals allowed: 5')
    await type(texts.linePrice, '1.2')
    await type(texts.lineName, '')
    await click(button(texts.saveLine))
    expect(readChartSettings().lines['EURUSD']).toEqual([{ units: 120_000, name: '' }])
    await click(button('Remove line 1.20000'))
    expect(readChartSettings().lines['EURUSD']).toBeUndefined()
  })

  it('says why no more lines can be added', async () => {
    setLines(
      'EURUSD',
      Array.from({ length: linesMax }, (_, i) => ({ units: i + 1, name: '' })),
    )
    await open(priceUnits(150_000))
    const add = button(texts.addLine)
    expect(add.getAttribute('aria-disabled')).toBe('true')
    expect(document.body.textContent).toContain('You can have up to 10 lines')
    await click(add)
    expect(readChartSettings().lines['EURUSD']).toHaveLength(linesMax)
  })
})

it.each([true, false])('tells of a right click only where there is a mouse: %s', async (hasMouse) => {
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(() => {
    return {
      matches: hasMouse,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    } as never
  })
  await open()
  expect(document.body.textContent.includes(texts.linesAt)).toBe(hasMouse)
  vi.restoreAllMocks()
})

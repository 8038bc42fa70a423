// @vitest-environment happy-dom
import { act, useState } from 'react'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { minor } from '../../../../contract/brand.ts'
import type { Minor } from '../../../../contract/brand.ts'
import en from '../../../../locales/en.json'
import { TicketAmount } from '../../../../src/pages/product/TicketAmount.tsx'
import { click, mount, one } from '../../ui/mount.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

function AmountField({ start = '', max = minor(500_000), available = minor(123_457) }: Parts) {
  const [value, setValue] = useState(start)
  const [isCapped, setCapped] = useState(false)
  return (
    <>
      <TicketAmount
        value={value}
        onValue={setValue}
        currency="USD"
        max={max}
        available={available}
        invalid={false}
        describedBy="why"
        onCapped={setCapped}
      />
      <output>{isCapped ? 'capped' : ''}</output>
    </>
  )
}
type Parts = { start?: string; max?: Minor; available?: Minor }

const field = () => one('input')
/** The native setter, which bypasses React's value tracking as a browser does. */
const nativeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!

async function type(text: string) {
  await act(async () => {
    nativeValue.set!.call(field(), text)
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
}
async function blur() {
  await act(async () => field().dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
}

describe('TicketAmount while typing', () => {
  it.each([
    ['12.345', '12.34'],
    ['1,234.5', '1,234.5'],
    ['12,5', '12,5'],
    ['１２．５', '12.5'],
    ['abc7x', '7'],
    ['1.2.3', '1.2.3'],
  ])('shows %s as %s', async (typed, shown) => {
    await mount(<AmountField />)
    await type(typed)
    expect(field().value).toBe(shown)
  })

  it('does not change the text during composition', async () => {
    await mount(<AmountField />)
    await act(async () => field().dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true })))
    await type('１２')
    expect(field().value).toBe('１２')
    await act(async () => field().dispatchEvent(new CompositionEvent('compositionend', { bubbles: true })))
    expect(field().value).toBe('12')
  })
})

describe('TicketAmount on blur', () => {
  it.each([
    ['7', '7.00', ''],
    ['0', '1.00', ''],
    ['1,000.5', '1000.50', ''],
    ['1,5', '1.50', ''],
    ['1.2.3', '1.2.3', ''],
    ['', '', ''],
    ['6000', '5000.00', 'capped'],
  ])('changes %s to %s', async (typed, committed, notice) => {
    await mount(<AmountField />)
    await type(typed)
    await blur()
    expect(field().value).toBe(committed)
    expect(document.querySelector('output')?.textContent ?? '').toBe(notice)
  })

  it('caps the amount at the specification’s maximum if the duration allows more', async () => {
    await mount(<AmountField max={minor(999_999_999_00)} />)
    await type('1000000')
    await blur()
    expect(field().value).toBe('999999.00')
  })
})

describe('quick amounts', () => {
  it.each([
    ['25%', '308.64'],
    ['50%', '617.28'],
    ['75%', '925.92'],
    ['100%', '1234.57'],
  ])('fills in for %s %s without submitting', async (label, filled) => {
    const { container } = await mount(<AmountField />)
    const button = [...container.querySelectorAll('button')].find((node) => node.textContent === label)!
    expect(button.type).toBe('button')
    await click(button)
    expect(field().value).toBe(filled)
  })

  it('never fills in more than the maximum', async () => {
    const { container } = await mount(<AmountField max={minor(100_000)} />)
    await click([...container.querySelectorAll('button')].at(-1)!)
    expect(field().value).toBe('1000.00')
    expect([...container.querySelectorAll('button')].at(-1)!.getAttribute('aria-label')).toBe('Max')
  })
})

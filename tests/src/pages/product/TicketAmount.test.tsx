// @vitest-environment happy-dom
import { act, useState } from 'react'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { minor, type Minor } from '../../../../contract/units.ts'
import en from '../../../../locales/en.json'
import { TicketAmount } from '../../../../src/pages/product/TicketAmount.tsx'
import { click, mount, one } from '../../ui/mount.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

let usual: string | undefined

function AmountField({ start = '', max = minor(500_000), available = minor(123_457) }: Parts) {
  const [value, setValue] = useState(start)
  const [isCapped, setCapped] = useState(false)
  return (
    <>
      <TicketAmount
        value={value}
        onValue={(text, isUsual) => {
          setValue(text)
          if (isUsual) usual = text
        }}
        currency="USD"
        min={minor(100)}
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
    ['$7', '7'],
    ['abc', ''],
    ['7x', '7x'],
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

const buttons = () => [...document.querySelectorAll('button')]
const step = (name: string) => one(`button[aria-label="${name}"]`)
const options = () => [...one('select').options].filter(({ hidden }) => !hidden)

async function pickMost() {
  await act(async () => {
    one('select').value = options().at(-1)!.value
    one('select').dispatchEvent(new Event('change', { bubbles: true }))
  })
}

describe('quick amounts', () => {
  it.each([
    ['10', '10.00'],
    ['50', '50.00'],
    ['100', '100.00'],
    ['1,000', '1000.00'],
  ])('fills in for %s %s without submitting', async (label, filled) => {
    await mount(<AmountField available={minor(label === '10' || label === '50' ? 9_999 : 123_457)} />)
    const button = buttons().find((node) => node.textContent === label)!
    expect(button.type).toBe('button')
    await click(button)
    expect(field().value).toBe(filled)
  })

  it('fills in for the last of the menu all that an order can be', async () => {
    await mount(<AmountField />)
    expect(options().map(({ text }) => text)).toEqual(['50', '100', '500', '1,000', 'Max 1,234.57'])
    await pickMost()
    expect(field().value).toBe('1234.57')
    expect(one('select').value).toBe('')
  })

  it('never fills in more than the maximum', async () => {
    await mount(<AmountField max={minor(100_000)} />)
    await pickMost()
    expect(field().value).toBe('1000.00')
  })

  it('offers nothing without a balance', async () => {
    await mount(<AmountField available={minor(0)} />)
    expect(buttons().filter((node) => node.getAttribute('aria-label') === null)).toEqual([])
    expect(one('select').disabled).toBe(true)
    expect(step(en.ticket.raise).getAttribute('aria-disabled')).toBe('true')
  })
})

it('steps to round amounts', async () => {
  await mount(<AmountField start="90.00" />)
  await click(step(en.ticket.raise))
  expect(field().value).toBe('100.00')
  await click(step(en.ticket.raise))
  expect(field().value).toBe('200.00')
  await click(step(en.ticket.lower))
  await click(step(en.ticket.lower))
  expect(field().value).toBe('90.00')
})

it('starts next time with what was entered, never with the whole balance', async () => {
  await mount(<AmountField />)
  await type('12.5')
  await blur()
  expect(usual).toBe('12.5')
  await click(step(en.ticket.raise))
  expect(usual).toBe('20.00')
  await pickMost()
  expect(field().value).toBe('1234.57')
  expect(usual).toBe('20.00')
})

it('is the member’s from the focus on, so that no limit that arrives later changes it', async () => {
  const edits: unknown[] = []
  await mount(
    <TicketAmount
      value="100.00"
      onValue={(...edit) => edits.push(edit)}
      currency="USD"
      min={minor(100)}
      max={minor(500_000)}
      available={minor(123_457)}
      invalid={false}
      describedBy="why"
      onCapped={() => undefined}
    />,
  )
  await act(async () => field().focus())
  expect(edits).toEqual([['100.00', false]])
})

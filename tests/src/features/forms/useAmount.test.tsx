// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { minor, type Minor } from '../../../../contract/units.ts'
import { useAmount } from '../../../../src/features/forms/useAmount.ts'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import { mount, one } from '../../ui/mount.tsx'

let amount: ReturnType<typeof useAmount>

function Probe({ limit }: { limit: Minor | undefined }) {
  const state = useAmount(limit)
  useEffect(() => {
    amount = state
  })
  const { onValue, ...bind } = state.bind
  return (
    <form>
      <input {...bind} onChange={(event) => onValue(event.currentTarget.value)} />
      <button type="submit">send</button>
      <button type="button">other</button>
    </form>
  )
}
async function type(text: string): Promise<void> {
  const input = one('input')
  await act(async () => {
    input.focus()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const moveFocusTo = (selector: string) => act(async () => one(selector).focus())

// Another file of the same thread may have left a language with a decimal comma.
beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

describe('useAmount', () => {
  beforeEach(() => mount(<Probe limit={minor(10_000)} />))

  it.each([
    ['12.345', '12.34', '12.34', false],
    ['1,234', '1,234', '100.00', true],
    ['12,5', '12,5', '12.50', false],
    ['1.2.3', '1.2.3', '1.2.3', false],
    ['１２．５', '12.5', '12.50', false],
    ['1e3', '1e3', '1e3', false],
    ['0', '0', '1.00', false],
    ['', '', '', false],
  ])('shows %s as %s and commits %s', async (raw, typed, committed, capped) => {
    await type(raw)
    expect(amount.text).toBe(typed)
    await moveFocusTo('button[type=button]')
    expect([amount.text, amount.capped]).toEqual([committed, capped])
  })

  it('is not committed on the way to the submit button', async () => {
    await type('250')
    await moveFocusTo('button[type=submit]')
    expect(amount.text).toBe('250')
    let isUnchanged = true
    await act(async () => {
      isUnchanged = amount.commitAmount()
    })
    expect([isUnchanged, amount.text, amount.capped]).toEqual([false, '100.00', true])
    await act(async () => {
      isUnchanged = amount.commitAmount()
    })
    expect(isUnchanged).toBe(true)
  })

  it('normalises composed text after the composition', async () => {
    await act(async () => amount.bind.onCompositionStart())
    await type('１元')
    expect(amount.text).toBe('１元')
    await act(async () => amount.bind.onCompositionEnd({ currentTarget: one('input') }))
    expect(amount.text).toBe('1')
  })
})

it('caps at the specification’s maximum until the limit is loaded', async () => {
  await mount(<Probe limit={undefined} />)
  await type('1000000')
  await moveFocusTo('button[type=button]')
  expect([amount.text, amount.capped]).toEqual(['999999.00', true])
})

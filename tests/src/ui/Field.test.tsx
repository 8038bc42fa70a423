// @vitest-environment happy-dom
import { act, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { AmountField, Checkbox, CodeField, Field, Select } from '../../../src/ui/index.ts'
import { click, mount, one } from './mount.tsx'

function help(control: Element): string {
  return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
}

describe('Field', () => {
  it('connects label and hint to the input', async () => {
    await mount(<Field label="Account" hint="6 to 12 letters." />)
    const input = one('input')
    expect(one('label').htmlFor).toBe(input.id)
    expect(help(input)).toBe('6 to 12 letters.')
    expect(input.hasAttribute('aria-invalid')).toBe(false)
  })

  it('replaces the hint with the error in the same described node', async () => {
    const { render } = await mount(<Field label="Phone" hint="With area code." />)
    const before = one('input').getAttribute('aria-describedby')
    await render(<Field label="Phone" hint="With area code." error="Enter a mobile number." />)
    const input = one('input')
    expect(help(input)).toBe('Enter a mobile number.')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(input.getAttribute('aria-describedby')).toBe(before)
  })

  it('has no description without hint or error', async () => {
    await mount(<Field label="Account" error="" />)
    expect(one('input').hasAttribute('aria-describedby')).toBe(false)
  })

  it('shows and hides a password, and labels the reveal button', async () => {
    await mount(<Field label="Password" type="password" reveal={{ show: 'Show', hide: 'Hide' }} />)
    expect(one('input').type).toBe('password')
    await click(one('button[aria-label="Show"]'))
    expect(one('input').type).toBe('text')
    await click(one('button[aria-label="Hide"]'))
    expect(one('input').type).toBe('password')
  })

  it('is read-only when locked', async () => {
    await mount(<Field label="Bank" locked value="Bank" />)
    expect(one('input').readOnly).toBe(true)
  })
})

describe('CodeField', () => {
  function Code() {
    const [code, setCode] = useState('')
    return <CodeField label="Code" value={code} onValue={setCode} maxLength={6} />
  }
  const type = (text: string) =>
    act(async () => {
      const input = one('input')
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
  const compose = (event: string) =>
    act(async () => one('input').dispatchEvent(new CompositionEvent(event, { bubbles: true })))

  it('leaves out the spaces of what is pasted before it is cut', async () => {
    await mount(<Code />)
    await type(' 123 456 ')
    expect(one('input').value).toBe('123456')
    await type('1234567')
    expect(one('input').value).toBe('123456')
  })

  it('waits for the end of an input method’s composition', async () => {
    await mount(<Code />)
    await compose('compositionstart')
    await type('１２３')
    expect(one('input').value).toBe('１２３')
    await compose('compositionend')
    expect(one('input').value).toBe('123')
  })
})

describe('other controls', () => {
  it('Select connects its error to the native select', async () => {
    await mount(<Select label="Reason" value="" onValue={() => undefined} options={[]} error="Choose one." />)
    expect(help(one('select'))).toBe('Choose one.')
  })

  it('AmountField uses the decimal keypad and marks an invalid amount', async () => {
    await mount(<AmountField label="Amount, USD" value="0" onValue={() => undefined} invalid />)
    const input = one('input')
    expect(input.inputMode).toBe('decimal')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(one('label').htmlFor).toBe(input.id)
  })

  it('Checkbox describes its error and reports a change', async () => {
    const changed = vi.fn()
    await mount(
      <Checkbox checked={false} onChange={changed} error="Tick the box.">
        I understand
      </Checkbox>,
    )
    expect(help(one('input[type="checkbox"]'))).toBe('Tick the box.')
    await click(one('input[type="checkbox"]'))
    expect(changed.mock.calls[0]?.[0]).toBe(true)
  })
})

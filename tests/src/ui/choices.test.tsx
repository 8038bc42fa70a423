// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { DurationChips, Segments, Switch } from '../../../src/ui/index.ts'
import { click, mount, one } from './mount.tsx'

const items = [
  { value: 'fast', label: 'Fast' },
  { value: 'standard', label: 'Standard' },
]
const radio = (value: string) => one(`input[value="${value}"]`) as HTMLInputElement

describe('Segments', () => {
  it('shows the choice and asks for another one by its label', async () => {
    const onChange = vi.fn<(value: string) => void>()
    await mount(<Segments label="Kind" items={items} value="fast" onChange={onChange} />)
    expect([radio('fast').checked, radio('standard').checked]).toEqual([true, false])
    expect(one('[role="radiogroup"]').getAttribute('aria-label')).toBe('Kind')
    expect(radio('standard').labels?.[0]?.textContent).toBe('Standard')
    await click(radio('standard'))
    expect(onChange.mock.calls).toEqual([['standard']])
  })

  it('takes the focus along when the choice is made elsewhere', async () => {
    const segments = (value: string) => (
      <Segments label="Kind" items={items} value={value} onChange={() => undefined} />
    )
    const { render } = await mount(segments('fast'))
    await render(segments('standard'))
    expect(document.activeElement).toBe(document.body)
    radio('standard').focus()
    await render(segments('fast'))
    expect(document.activeElement).toBe(radio('fast'))
  })

  it('does not submit its form with Enter', async () => {
    await mount(<Segments label="Kind" items={items} value="fast" onChange={() => undefined} />)
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    radio('fast').dispatchEvent(enter)
    expect(enter.defaultPrevented).toBe(true)
    const right = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true })
    radio('fast').dispatchEvent(right)
    expect(right.defaultPrevented).toBe(false)
  })
})

it('a disabled duration cannot be chosen', async () => {
  const onChange = vi.fn<(value: string) => void>()
  const chips = [
    { value: '30', label: '30 s', rate: '80%' },
    { value: '60', label: '1 min', rate: '82%', disabled: true },
  ]
  await mount(<DurationChips label="Duration" items={chips} value="30" onChange={onChange} />)
  await click(radio('60'))
  expect(onChange).not.toHaveBeenCalled()
  expect(radio('60').disabled).toBe(true)
})

it('a disabled switch keeps its state and the focus', async () => {
  const onChange = vi.fn<(checked: boolean) => void>()
  await mount(<Switch label="MACD" checked onChange={onChange} disabled />)
  const input = one('[role="switch"]') as HTMLInputElement
  input.focus()
  await click(input)
  expect(onChange).not.toHaveBeenCalled()
  expect([input.checked, input.getAttribute('aria-disabled'), document.activeElement === input]).toEqual([
    true,
    'true',
    true,
  ])
})

it('a switch asks for its other state', async () => {
  const onChange = vi.fn<(checked: boolean) => void>()
  await mount(<Switch label="MACD" checked={false} onChange={onChange} />)
  await click(one('[role="switch"]'))
  expect(onChange.mock.calls).toEqual([[true]])
})

// @vitest-environment happy-dom
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Button, TradeButton } from '../../../src/ui/index.ts'
import { click, mount, one } from './mount.tsx'

describe('Button', () => {
  it('shows the reason it is disabled, stays in the tab order and ignores taps', async () => {
    const tapped = vi.fn()
    await mount(
      <Button disabled reason="Amount is empty." onClick={tapped}>
        Transfer in
      </Button>,
    )
    const button = one('button')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.disabled).toBe(false)
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Amount is empty.',
    )
    await click(button)
    expect(tapped).not.toHaveBeenCalled()
  })

  it('ignores taps while busy', async () => {
    const tapped = vi.fn()
    const { render } = await mount(<Button onClick={tapped}>Send</Button>)
    await click(one('button'))
    await render(
      <Button busy onClick={tapped}>
        Send
      </Button>,
    )
    await click(one('button'))
    expect(tapped).toHaveBeenCalledTimes(1)
    expect(one('button').getAttribute('aria-busy')).toBe('true')
  })

  it('does not submit its form while disabled', async () => {
    const sent = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
    const form = (disabled: boolean) => (
      <form onSubmit={sent}>
        <Button type="submit" disabled={disabled}>
          Next step
        </Button>
      </form>
    )
    const { render } = await mount(form(true))
    await click(one('button'))
    expect(sent).not.toHaveBeenCalled()
    await render(form(false))
    await click(one('button'))
    expect(sent).toHaveBeenCalledTimes(1)
  })

  it('renders a link if it has an href', async () => {
    await mount(<Button href="#/home/index">See products</Button>)
    expect(one('a').getAttribute('href')).toBe('#/home/index')
  })
})

describe('TradeButton', () => {
  it('references the text that explains why it is disabled', async () => {
    const tapped = vi.fn()
    await mount(
      <TradeButton direction="up" label="Buy up" note="Paused" disabled describedBy="why" onClick={tapped} />,
    )
    await click(one('button'))
    expect(tapped).not.toHaveBeenCalled()
    expect(one('button').getAttribute('aria-describedby')).toBe('why')
  })
})

it('an order button takes a double click as one', async () => {
  const onClick = vi.fn()
  await mount(<TradeButton direction="up" label="Buy up" note="Win" onClick={onClick} />)
  const clickOf = (detail: number) =>
    act(async () => void one('button').dispatchEvent(new MouseEvent('click', { bubbles: true, detail })))
  await clickOf(1)
  await clickOf(2)
  expect(onClick).toHaveBeenCalledTimes(1)
  await clickOf(1)
  // By keyboard.
  await clickOf(0)
  expect(onClick).toHaveBeenCalledTimes(3)
})

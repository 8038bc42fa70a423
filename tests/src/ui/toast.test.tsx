// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dismissToast, setToastPlace, TitleBar, toast, ToastRegion } from '../../../src/ui/index.ts'
import { currentToasts, toastDurationMs } from '../../../src/ui/toastStore.ts'
import { mount, one } from './mount.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  act(() => dismissToast())
  vi.useRealTimers()
})

describe('toast', () => {
  it('is announced by an existing live region and disappears by itself', async () => {
    await mount(<ToastRegion label="Notices" />)
    const region = one('[aria-live="polite"]')
    await act(async () => void toast({ text: 'Copied', kind: 'success' }))
    expect(region.textContent).toBe('Copied')
    await act(async () => vi.advanceTimersByTime(toastDurationMs({ text: 'Copied', kind: 'success' })))
    expect(region.textContent).toBe('')
  })

  it('shows a text once, and at most three toasts', () => {
    const first = toast({ text: 'a' })
    expect(toast({ text: 'a' })).toBe(first)
    for (const text of ['b', 'c', 'd']) toast({ text })
    expect(currentToasts().map((entry) => entry.text)).toEqual(['b', 'c', 'd'])
  })

  it('has an announced link, stays long enough to be reached, and disappears when the link is followed', async () => {
    await mount(<ToastRegion label="Notices" />)
    const entry = { text: 'Won +8.50', kind: 'plain', link: { label: 'Proof', href: '#/proof' } } as const
    await act(async () => void toast(entry))
    expect(one('[aria-live="polite"]').textContent).toBe('Won +8.50 Proof')
    expect(toastDurationMs(entry)).toBe(8_000)
    const link = one('a')
    expect(link.getAttribute('href')).toBe('#/proof')
    await act(async () => link.focus())
    await act(async () => vi.advanceTimersByTime(60_000))
    expect(currentToasts()).toHaveLength(1)
    await act(async () => link.click())
    expect(currentToasts()).toEqual([])
  })

  it('stays while the pointer moves over it, but not because it appears under one', async () => {
    await mount(<ToastRegion label="Notices" />)
    await act(async () => void toast({ text: 'Placed' }))
    const pointer = (type: string) =>
      act(async () => void one('p').dispatchEvent(new PointerEvent(type, { bubbles: true })))
    await pointer('pointerover')
    await pointer('pointermove')
    await act(async () => vi.advanceTimersByTime(60_000))
    expect(currentToasts()).toHaveLength(1)
    await pointer('pointerout')
    await act(async () => vi.advanceTimersByTime(60_000))
    expect(currentToasts()).toEqual([])
    await act(async () => void toast({ text: 'Won' }))
    await pointer('pointerover')
    await act(async () => vi.advanceTimersByTime(60_000))
    expect(currentToasts()).toEqual([])
  })

  it('moves over the bar of a page that is loaded later', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(10, 0, 300, 52))
    const page = (bar: boolean) => (
      <>
        <ToastRegion label="Notices" />
        {bar && <TitleBar title="Home" root />}
      </>
    )
    const { render } = await mount(page(false))
    await act(async () => void toast({ text: 'Placed' }))
    const region = one('[data-toasts]')
    expect(region.dataset['placed']).toBeUndefined()
    await render(page(true))
    expect(region.dataset['placed']).toBe('bar')
    vi.restoreAllMocks()
  })

  it('shows long texts and problems for longer', () => {
    expect(toastDurationMs({ text: 'Copied', kind: 'plain' })).toBe(4_000)
    expect(toastDurationMs({ text: 'Not sent', kind: 'problem' })).toBe(6_000)
    expect(toastDurationMs({ text: 'x'.repeat(100), kind: 'plain' })).toBe(7_500)
    expect(toastDurationMs({ text: 'x'.repeat(1_000), kind: 'plain' })).toBe(12_000)
  })

  it('says what the page shows already to screen readers alone, without waiting for others', async () => {
    const place = document.body.appendChild(document.createElement('div'))
    await mount(<ToastRegion label="Notices" />)
    await act(async () => {
      setToastPlace(place)
      toast({ text: 'Saved' })
      toast({ text: 'Placed', kind: 'spoken' })
    })
    const region = one('[aria-live="polite"]')
    expect(region.textContent).toBe('SavedPlaced')
    expect(region.querySelectorAll('div')).toHaveLength(1)
    await act(async () => setToastPlace(undefined))
    place.remove()
  })

  it('leaves the part of the place uncovered that must stay in sight, and with too little beside it is over the bar', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(10, 0, 300, 52))
    const place = document.body.appendChild(document.createElement('div'))
    const price = place.appendChild(document.createElement('span'))
    price.dataset['uncovered'] = ''
    place.getBoundingClientRect = () => new DOMRect(10, 52, 300, 35)
    price.getBoundingClientRect = () => new DOMRect(26, 52, 124, 35)
    await mount(
      <>
        <ToastRegion label="Notices" />
        <TitleBar title="BTC/USDT" />
      </>,
    )
    await act(async () => {
      setToastPlace(place)
      toast({ text: 'Won' })
    })
    const region = one('[data-toasts]')
    const at = (name: string) => region.style.getPropertyValue(`--place-${name}`)
    expect([region.dataset['placed'], at('left'), at('width')]).toEqual(['line', '162px', '148px'])
    price.getBoundingClientRect = () => new DOMRect(26, 52, 248, 35)
    await act(async () => dismissToast())
    await act(async () => void toast({ text: 'Lost' }))
    expect(region.dataset['placed']).toBe('bar')
    await act(async () => setToastPlace(undefined))
    place.remove()
    vi.restoreAllMocks()
  })

  it('is over the buttons of the bar too if it is higher than the bar over the title', async () => {
    const boxes: [selector: string, box: DOMRect][] = [
      ['[data-title-bar]', new DOMRect(0, 0, 320, 52)],
      ['[data-titles]', new DOMRect(16, 0, 160, 52)],
      ['button', new DOMRect(176, 0, 44, 52)],
    ]
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      const box = boxes.find(([selector]) => this.matches(selector))?.[1]
      // A toast in a region of this width.
      const width = this.parentElement?.style.getPropertyValue('--place-width')
      return box ?? new DOMRect(0, 0, 100, width === '160px' && this.textContent.length > 9 ? 68 : 20)
    })
    await mount(
      <>
        <ToastRegion label="Notices" />
        <TitleBar title="Fund" root actions={<button type="button">Rules</button>} />
      </>,
    )
    const region = one('[data-toasts]')
    const width = () => [region.dataset['placed'], region.style.getPropertyValue('--place-width')]
    await act(async () => void toast({ text: 'Saved' }))
    expect(width()).toEqual(['bar', '160px'])
    await act(async () => dismissToast())
    await act(async () => void toast({ text: 'Transfer received' }))
    expect(width()).toEqual(['bar', '304px'])
    vi.restoreAllMocks()
  })

  it('is in the free part of the rail if there is one, and not over a place of the page', async () => {
    const place = document.body.appendChild(document.createElement('div'))
    const rail = document.body.appendChild(document.createElement('div'))
    rail.dataset['railFree'] = ''
    rail.getBoundingClientRect = () => new DOMRect(12, 300, 184, 200)
    await mount(<ToastRegion label="Notices" />)
    await act(async () => {
      setToastPlace(place)
      toast({ text: 'Won' })
    })
    expect(one('[data-toasts]').dataset['placed']).toBe('rail')
    await act(async () => setToastPlace(undefined))
    place.remove()
    rail.remove()
  })

  it('shows one after the other over the place that a page gives, which has the height of one', async () => {
    const place = document.body.appendChild(document.createElement('div'))
    place.getBoundingClientRect = () => new DOMRect(10, 44, 300, 60)
    await mount(<ToastRegion label="Notices" />)
    const region = one('[aria-live="polite"]')
    await act(async () => {
      setToastPlace(place)
      toast({ text: 'Placed' })
      toast({ text: 'Won' })
    })
    expect(region.textContent).toBe('Placed')
    const at = (name: string) => region.style.getPropertyValue(`--place-${name}`)
    expect(['top', 'left', 'width', 'height'].map(at)).toEqual(['44px', '10px', '300px', '60px'])
    await act(async () => vi.advanceTimersByTime(toastDurationMs({ text: 'Placed', kind: 'plain' })))
    expect(region.textContent).toBe('Won')
    await act(async () => setToastPlace(undefined))
    await act(async () => void toast({ text: 'Saved' }))
    expect(region.textContent).toBe('WonSaved')
    place.remove()
  })
})

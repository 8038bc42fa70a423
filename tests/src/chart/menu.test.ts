// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listenMenu } from '../../../src/chart/menu.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp() {
  const box = document.createElement('figure')
  const opened: (number | undefined)[] = []
  const stop = listenMenu(box, (clientY) => opened.push(clientY))
  const send = (type: string, at: Partial<PointerEventInit> = {}) => {
    const event = new PointerEvent(type, { pointerType: 'touch', pointerId: 1, cancelable: true, ...at })
    box.dispatchEvent(event)
    return event
  }
  const sendMenu = (init: MouseEventInit) => {
    const event = new MouseEvent('contextmenu', { cancelable: true, ...init })
    box.dispatchEvent(event)
    return event
  }
  return { opened, stop, send, sendMenu, box }
}

describe('the menu of the chart', () => {
  it('opens where a finger is held, once', () => {
    const { opened, send, sendMenu } = setUp()
    send('pointerdown', { clientX: 10, clientY: 90 })
    send('pointermove', { clientX: 14, clientY: 92 })
    // The browser's own long press.
    expect(sendMenu({ button: 2, clientY: 90 }).defaultPrevented).toBe(true)
    vi.advanceTimersByTime(5000)
    send('pointerup')
    expect(opened).toEqual([90])
  })

  it.each([
    ['a tap', [['pointerup', {}]]],
    ['a scroll', [['pointermove', { clientX: 40 }]]],
    ['a scroll of the page', [['pointercancel', {}]]],
    ['a pinch', [['pointerdown', { pointerId: 2 }]]],
  ] as const)('does not open for %s', (_, events) => {
    const { opened, send } = setUp()
    send('pointerdown')
    for (const [type, at] of events) send(type, at)
    vi.advanceTimersByTime(5000)
    expect(opened).toEqual([])
  })

  it('opens at the mouse, and at no price by the menu key', () => {
    const { opened, send, sendMenu, box } = setUp()
    send('pointerdown', { pointerType: 'mouse' })
    expect(sendMenu({ button: 2, clientY: 55 }).defaultPrevented).toBe(true)
    send('pointerdown')
    send('pointerup')
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ContextMenu' }))
    sendMenu({ button: 0, clientY: 3 })
    expect(opened).toEqual([55, undefined])
  })

  it('does not open once it has stopped', () => {
    const { opened, stop, send } = setUp()
    send('pointerdown')
    stop()
    vi.advanceTimersByTime(5000)
    expect(opened).toEqual([])
  })
})

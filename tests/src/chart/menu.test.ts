// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { listenMenu } from '../../../src/chart/menu.ts'
import type { Point } from '../../../src/chart/types.ts'

function setUp() {
  const box = document.createElement('figure')
  const opened: (Point | undefined)[] = []
  const stop = listenMenu(box, (at) => opened.push(at))
  const press = (pointerType: string) =>
    box.dispatchEvent(new PointerEvent('pointerdown', { pointerType, cancelable: true }))
  const sendMenu = (init: MouseEventInit) => {
    const event = new MouseEvent('contextmenu', { cancelable: true, ...init })
    box.dispatchEvent(event)
    return event
  }
  return { opened, stop, press, sendMenu, box }
}

describe('the menu of the chart', () => {
  it('does not open where a finger is held, nor does the browser’s own', () => {
    const { opened, press, sendMenu } = setUp()
    press('touch')
    expect(sendMenu({ button: 2, clientY: 90 }).defaultPrevented).toBe(true)
    expect(opened).toEqual([])
  })

  it('opens at the mouse, and at no price by the menu key', () => {
    const { opened, press, sendMenu, box } = setUp()
    press('mouse')
    expect(sendMenu({ button: 2, clientX: 7, clientY: 55 }).defaultPrevented).toBe(true)
    press('touch')
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ContextMenu' }))
    sendMenu({ button: 0, clientY: 3 })
    expect(opened).toEqual([{ x: 7, y: 55 }, undefined])
  })

  it('does not open once it has stopped', () => {
    const { opened, stop, press, sendMenu } = setUp()
    stop()
    press('mouse')
    sendMenu({ button: 2, clientY: 55 })
    expect(opened).toEqual([])
  })
})

// @vitest-environment happy-dom
import type { IChartApi } from 'lightweight-charts'
import { expect, it } from 'vitest'
import { listenAxis } from '../../../src/chart/axis.ts'

/** A chart 300 px wide, of which the axis has 64. */
function openChart(autoScale: boolean) {
  const box = document.createElement('div')
  box.getBoundingClientRect = () => ({ right: 300 }) as DOMRect
  let vertTouchDrag = false
  const chart = {
    chartElement: () => box,
    priceScale: () => ({ width: () => 64, options: () => ({ autoScale }) }),
    options: () => ({ handleScroll: { vertTouchDrag } }),
    applyOptions: ({ handleScroll }: { handleScroll: { vertTouchDrag: boolean } }) => {
      vertTouchDrag = handleScroll.vertTouchDrag
    },
  }
  listenAxis(chart as unknown as IChartApi)
  return (clientX: number) => {
    const event = Object.assign(new Event('touchstart'), { changedTouches: [{ clientX }] })
    box.dispatchEvent(event)
    return vertTouchDrag
  }
}

it('a finger moves prices on their axis, and over the bars scrolls the page', () => {
  const touch = openChart(true)
  expect([touch(250), touch(100), touch(290)]).toEqual([true, false, true])
})

it('over the bars too once the member has scaled the axis', () => {
  const touch = openChart(false)
  expect([touch(100), touch(250)]).toEqual([true, true])
})

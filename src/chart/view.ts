import { logicalOf } from './bars.ts'
import { isAway, isFollowing } from './watch.ts'
import { axisWidth, futureBars, levelDensity, scaleMargins, defaultPitch } from './geometry.ts'
import { fontOf, type RenderState } from './renderState.ts'
import type { ChartSeries } from './chartSeries.ts'

/** What the library adds to its widest label, px: border, tick, padding on both sides and its offset. */
const axisPadding = 21

/**
 * The width of the price axis, px, that its widest label needs: a price as long as the newest one, of the widest digits, in
 * the tag's weight. NaN needs none.
 */
export function axisWidthOf(state: RenderState, price: number): number {
  const context = document.createElement('canvas').getContext('2d')
  if (Number.isNaN(price) || context === null) return axisWidth
  context.font = fontOf(state, 600)
  const widest = state.format.price(price).replaceAll(/\d/g, '0')
  return Math.max(axisWidth, Math.ceil(context.measureText(widest).width) + axisPadding)
}

/** The visible range: the default pitch until the member zooms, and space at the right for expiries. */
export function createView({ chart, tail, bars, state }: ChartSeries) {
  const scale = chart.timeScale()
  let appliedPitch = 0

  const widenAxis = () => {
    const last = bars.all().at(-1)
    if (last === undefined) return
    state.axisWidth = axisWidthOf(state, last.high)
    tail.priceScale().applyOptions({ minimumWidth: state.axisWidth })
  }
  /** @param pitch that the library may apply with the next frame only */
  const makeRoomAt = (pitch: number) => {
    const last = bars.all().length - 1
    const ahead = state.marks.map((mark) => (logicalOf(bars.all(), mark.closeAt, state.tfMs) ?? last) - last)
    const offset = futureBars(scale.width(), pitch, Math.max(0, ...ahead))
    if (Math.abs(offset - scale.options().rightOffset) > 0.5) scale.applyOptions({ rightOffset: offset })
  }
  /** Nothing moves once the member has scrolled, but for an order that was not there before: it is shown. */
  const makeRoom = (before = state.marks) => {
    const hasNew = state.marks.some(({ id }) => before.every((mark) => mark.id !== id))
    if (!hasNew && !isFollowing(chart)) return
    makeRoomAt(scale.options().barSpacing)
    if (hasNew) scale.scrollToPosition(scale.options().rightOffset, false)
  }
  /** While an order is open, a new bar takes its place from the future: so entry and expiry stay where they are. */
  const follow = () => {
    if (state.marks.length > 0) makeRoom()
  }
  const fitRight = () => {
    widenAxis()
    appliedPitch = defaultPitch(scale.width(), state.tfMs)
    scale.applyOptions({ barSpacing: appliedPitch })
    makeRoomAt(appliedPitch)
    tail.priceScale().setAutoScale(true)
    scale.scrollToPosition(scale.options().rightOffset, false)
  }
  const fitHeight = () => {
    const { height } = chart.paneSize()
    const tickMarkDensity = levelDensity(height)
    tail.priceScale().applyOptions({ scaleMargins: scaleMargins(height, state.legendLines), tickMarkDensity })
  }
  const onSize = () => {
    fitHeight()
    const isZoomed = Math.abs(scale.options().barSpacing - appliedPitch) >= 0.01
    if (isZoomed || isAway({ chart, bars })) makeRoom()
    else fitRight()
  }
  scale.subscribeSizeChange(onSize)
  onSize()
  // Panes below take height from the one of the bars, which is no change of the time scale.
  const heights = new ResizeObserver(fitHeight)
  const pane = chart.panes()[0]?.getHTMLElement()
  if (pane) heights.observe(pane)
  const destroy = () => {
    heights.disconnect()
    scale.unsubscribeSizeChange(onSize)
  }
  return { fitRight, fitHeight, makeRoom, follow, destroy }
}

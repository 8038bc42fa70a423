import { logicalOf } from './bars.ts'
import { axisWidth, futureBars, levelDensity, scaleMargins, defaultPitch } from './geometry.ts'
import { fontOf } from './renderState.ts'
import type { ChartSeries } from './chartSeries.ts'

/** Air left and right of the axis' figures, px. */
const axisPadding = 16

/** What is on screen: the usual pitch until the member zooms, and room at the right for expiries. */
export function createView({ chart, tail, bars, state }: ChartSeries) {
  const scale = chart.timeScale()
  let usual = 0

  /** The axis is as wide as its widest figure: the newest price, in the tag's weight. */
  const widenAxis = () => {
    const last = bars.all().at(-1)
    const context = document.createElement('canvas').getContext('2d')
    if (last === undefined || context === null) return
    context.font = fontOf(state, 600)
    const needed = Math.ceil(context.measureText(state.format.price(last.high)).width) + axisPadding
    tail.priceScale().applyOptions({ minimumWidth: Math.max(axisWidth, needed) })
  }
  const makeRoom = () => {
    const last = bars.all().length - 1
    const ahead = state.marks.map((mark) => (logicalOf(bars.all(), mark.closeAt, state.tfMs) ?? last) - last)
    const pitch = scale.options().barSpacing
    const offset = futureBars(scale.width(), pitch, Math.max(0, ...ahead))
    if (Math.abs(offset - scale.options().rightOffset) > 0.5) scale.applyOptions({ rightOffset: offset })
  }
  const fitRight = () => {
    widenAxis()
    usual = defaultPitch(scale.width())
    scale.applyOptions({ barSpacing: usual })
    makeRoom()
    scale.scrollToPosition(scale.options().rightOffset, false)
  }
  const onSize = () => {
    const { height } = chart.paneSize()
    const tickMarkDensity = levelDensity(height)
    tail.priceScale().applyOptions({ scaleMargins: scaleMargins(height), tickMarkDensity })
    const untouched = Math.abs(scale.options().barSpacing - usual) < 0.01
    if (untouched) fitRight()
    else makeRoom()
  }
  scale.subscribeSizeChange(onSize)
  onSize()
  return { fitRight, makeRoom, destroy: () => scale.unsubscribeSizeChange(onSize) }
}

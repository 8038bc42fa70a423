import { logicalOf } from './bars.ts'
import { futureBars, scaleMargins, usualPitch } from './geometry.ts'
import type { Stage } from './stage.ts'

/** What is on screen: the usual pitch until the member zooms, and room at the right for expiries. */
export function createView({ chart, tail, bars, look }: Stage) {
  const scale = chart.timeScale()
  let usual = 0

  const makeRoom = () => {
    const last = bars.all().length - 1
    const ahead = look.marks.map((mark) => (logicalOf(bars.all(), mark.closeAt, look.tfMs) ?? last) - last)
    const pitch = scale.options().barSpacing
    const offset = futureBars(scale.width(), pitch, Math.max(0, ...ahead))
    if (Math.abs(offset - scale.options().rightOffset) > 0.5) scale.applyOptions({ rightOffset: offset })
  }
  const fitRight = () => {
    usual = usualPitch(scale.width())
    scale.applyOptions({ barSpacing: usual })
    makeRoom()
    scale.scrollToPosition(scale.options().rightOffset, false)
  }
  const onSize = () => {
    tail.priceScale().applyOptions({ scaleMargins: scaleMargins(chart.paneSize().height) })
    const untouched = Math.abs(scale.options().barSpacing - usual) < 0.01
    if (untouched) fitRight()
    else makeRoom()
  }
  scale.subscribeSizeChange(onSize)
  onSize()
  return { fitRight, makeRoom, destroy: () => scale.unsubscribeSizeChange(onSize) }
}

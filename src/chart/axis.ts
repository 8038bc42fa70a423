import type { IChartApi } from 'lightweight-charts'

/**
 * Lets a finger drag the price axis, and the bars up and down once the member has scaled them. The library takes a vertical
 * swipe everywhere or nowhere, and over bars that fill the pane it should scroll the page. Ends with the chart.
 */
export function listenAxis(chart: IChartApi): void {
  const box = chart.chartElement()
  const onTouchStart = ({ changedTouches: [touch] }: TouchEvent) => {
    if (touch === undefined) return
    const scale = chart.priceScale('right')
    const isOnAxis = touch.clientX > box.getBoundingClientRect().right - scale.width()
    const vertTouchDrag = isOnAxis || !scale.options().autoScale
    const { handleScroll } = chart.options()
    // To apply options paints the whole chart again.
    if (typeof handleScroll === 'object' && handleScroll.vertTouchDrag === vertTouchDrag) return
    chart.applyOptions({ handleScroll: { vertTouchDrag } })
  }
  box.addEventListener('touchstart', onTouchStart, { capture: true, passive: true })
}

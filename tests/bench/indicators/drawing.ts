type Drawing = { begin: () => void; drawn: Promise<number> }

declare global {
  var drawing: Drawing
}

/**
 * Runs in the page before its scripts: after `begin`, `drawn` is the time from the next tap until a frame with the bars of
 * a chart is painted, ms. What is drawn after the tap is already of what it asked for, because a chart that stays loses
 * its bars with it.
 */
export function watchDrawing(): void {
  /** More rectangles than a chart without bars fills in a frame, and fewer than the bars of a phone. */
  const rectangles = 60
  let frame: CSSNumberish | null = null
  let count = 0
  let tapAt = Infinity
  let resolve: (ms: number) => void = () => undefined
  // oxlint-disable-next-line typescript/unbound-method -- called with the context it was called on
  const fillRect = CanvasRenderingContext2D.prototype.fillRect
  CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
    // The same in all of a frame.
    const { currentTime } = document.timeline
    if (currentTime !== frame) count = 0
    frame = currentTime
    if (tapAt < Infinity && ++count === rectangles) {
      // The frame is over when the first task after it runs, or the next frame does, which browsers put before tasks.
      const from = tapAt
      const over = (): void => resolve(performance.now() - from)
      const channel = new MessageChannel()
      channel.port1.onmessage = over
      channel.port2.postMessage(0)
      requestAnimationFrame(over)
    }
    fillRect.call(this, x, y, width, height)
  }
  addEventListener(
    'click',
    (event) => {
      tapAt = event.timeStamp
      count = 0
    },
    { capture: true },
  )
  globalThis.drawing = {
    begin: () => {
      tapAt = Infinity
      globalThis.drawing.drawn = new Promise((done) => (resolve = done))
    },
    drawn: Promise.resolve(0),
  }
}

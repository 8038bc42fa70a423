type Drawing = { begin: () => void; drawn: Promise<number> }

declare global {
  var drawing: Drawing
}

/**
 * Runs in the page before its scripts: after `begin`, `drawn` is the time from the next tap until a canvas that was not
 * there at `begin` has the bars of a chart and the frame with them is painted, ms.
 */
export function watchDrawing(): void {
  /** More rectangles than a chart without bars fills in a frame, and fewer than the bars of a phone. */
  const rectangles = 60
  let old = new Set<HTMLCanvasElement | OffscreenCanvas>()
  let count = Infinity
  let tapAt = 0
  let resolve: (ms: number) => void = () => undefined
  // oxlint-disable-next-line typescript/unbound-method -- called with the context it was called on
  const fillRect = CanvasRenderingContext2D.prototype.fillRect
  CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
    if (!old.has(this.canvas) && ++count === rectangles) {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve(performance.now() - tapAt)
      channel.port2.postMessage(0)
    }
    fillRect.call(this, x, y, width, height)
  }
  addEventListener('click', (event) => (tapAt = event.timeStamp), { capture: true })
  globalThis.drawing = {
    begin: () => {
      old = new Set(document.querySelectorAll('canvas'))
      count = 0
      globalThis.drawing.drawn = new Promise((done) => (resolve = done))
    },
    drawn: Promise.resolve(0),
  }
}

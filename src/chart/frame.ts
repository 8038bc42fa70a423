/** Joins the calls between two frames of the screen into one, and forgets them when the chart goes. */
export function createFrame() {
  const waiting = new Set<() => void>()
  let request = 0
  const run = () => {
    request = 0
    const due = [...waiting]
    waiting.clear()
    for (const paint of due) paint()
  }
  const frame = (paint: () => void) => () => {
    waiting.add(paint)
    if (request === 0) request = requestAnimationFrame(run)
  }
  frame.cancel = () => {
    cancelAnimationFrame(request)
    waiting.clear()
  }
  return frame
}

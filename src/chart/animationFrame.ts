/** Joins the calls between two frames of the screen into one, and forgets them when the chart goes. */
export function createAnimationFrame() {
  const waiting = new Set<() => void>()
  let request = 0
  const run = () => {
    request = 0
    const due = [...waiting]
    waiting.clear()
    for (const paint of due) paint()
  }
  const schedule = (paint: () => void) => () => {
    waiting.add(paint)
    if (request === 0) request = requestAnimationFrame(run)
  }
  schedule.cancel = () => {
    cancelAnimationFrame(request)
    waiting.clear()
  }
  return schedule
}

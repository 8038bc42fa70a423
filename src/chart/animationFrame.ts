/** Coalesces calls until the next animation frame; `cancel` drops them when the chart is destroyed. */
export function createAnimationFrame() {
  const pending = new Set<() => void>()
  let request = 0
  const run = () => {
    request = 0
    const due = [...pending]
    pending.clear()
    for (const paint of due) paint()
  }
  const schedule = (paint: () => void) => () => {
    pending.add(paint)
    if (request === 0) request = requestAnimationFrame(run)
  }
  schedule.cancel = () => {
    cancelAnimationFrame(request)
    pending.clear()
  }
  return schedule
}

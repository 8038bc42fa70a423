type OfficeWatch = {
  /** What is noted from now on is of the next step. */
  begin: () => void
  /** From the click or the choice until the frame after it, ms. */
  frame: () => Promise<number>
  /** From the click or the choice until rows that were not there before are drawn, ms. */
  rows: () => Promise<number>
  /** The longest task since `begin`, ms; tasks below 50 ms are 0. */
  longestTask: () => number
}

declare global {
  var officeWatch: OfficeWatch
}

/** Runs in the page before its scripts: notes when clicks and choices are answered, and tasks that kept the page from drawing. */
export function watchOffice(): void {
  let longest = 0
  let step = watch()
  function deferred() {
    let resolve: (ms: number) => void = () => undefined
    const promise = new Promise<number>((done) => {
      resolve = done
    })
    return { promise, resolve }
  }
  /** The times of one step. Frames are drawn after the animation callbacks, so a message from one comes after the frame. */
  function watch() {
    const drawn = deferred()
    const listed = deferred()
    return {
      startedAt: undefined as number | undefined,
      before: undefined as Node | undefined,
      drawn,
      listed,
    }
  }
  const afterFrame = (run: () => void): void => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', run)
      port1.start()
      port2.postMessage(null)
    })
  }
  const first = (): Node | undefined => document.querySelector('[data-rows] > tr') ?? undefined
  const start = (event: Event): void => {
    if (step.startedAt !== undefined) return
    const current = step
    current.startedAt = event.timeStamp
    current.before = first()
    afterFrame(() => current.drawn.resolve(performance.now() - event.timeStamp))
    const look = (): void => {
      const now = first()
      if (now === undefined || now === current.before) return void requestAnimationFrame(look)
      afterFrame(() => current.listed.resolve(performance.now() - event.timeStamp))
    }
    requestAnimationFrame(look)
  }
  for (const type of ['click', 'input']) addEventListener(type, start, { capture: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })
  globalThis.officeWatch = {
    begin: () => {
      longest = 0
      step = watch()
    },
    frame: () => step.drawn.promise,
    rows: () => step.listed.promise,
    longestTask: () => Math.round(longest),
  }
}

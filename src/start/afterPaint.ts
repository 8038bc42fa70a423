/** Where no frame is painted, as in a hidden tab, it continues after this long, ms. */
const waitMaxMs = 500

/** Resolves once the next frame is painted: what the page does not show at first waits for it. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMaxMs)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      setTimeout(resolve)
    })
  })

/** Less of a picture than this says nothing. */
const leastPx = 160
const steps = 20

/**
 * Calls once when enough of an element has been on the screen: 160 px of its height, or as much as a low window or what
 * scrolls around it can show at once.
 */
export function watchView(element: Element, onInView: () => void): () => void {
  const root = element.closest('[data-scrolls]')
  const observer = new IntersectionObserver(
    (entries) => {
      const newest = entries.at(-1)
      if (newest === undefined || !newest.isIntersecting) return
      const { intersectionRect: seen, boundingClientRect: whole, rootBounds: room } = newest
      const needed = Math.min(leastPx, whole.height, room?.height ?? leastPx)
      if (Math.round(seen.height) < Math.floor(needed)) return
      observer.disconnect()
      onInView()
    },
    { root, threshold: Array.from({ length: steps + 1 }, (_, at) => at / steps) },
  )
  observer.observe(element)
  return () => observer.disconnect()
}

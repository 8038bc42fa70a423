/** Less of a picture than this says nothing. */
const leastPx = 160
const steps = 20

/**
 * Calls once when enough of an element has been on the screen: 160 px of its height, or as much as a low window or what
 * scrolls around it can show at once. What passes by page after page counts together.
 */
export function watchView(element: Element, onInView: () => void): () => void {
  const root = element.closest('[data-scrolls]')
  let [from, to] = [0, 0]
  const observer = new IntersectionObserver(
    (entries) => {
      const newest = entries.at(-1)
      if (newest === undefined || !newest.isIntersecting) return
      const { intersectionRect: seen, boundingClientRect: whole, rootBounds: room } = newest
      const needed = Math.min(leastPx, whole.height, room?.height ?? leastPx)
      const [top, bottom] = [seen.top - whole.top, seen.bottom - whole.top]
      const goesOn = top <= to && bottom >= from
      from = goesOn ? Math.min(from, top) : top
      to = goesOn ? Math.max(to, bottom) : bottom
      if (Math.round(to - from) < Math.floor(needed)) return
      observer.disconnect()
      onInView()
    },
    { root, threshold: Array.from({ length: steps + 1 }, (_, at) => at / steps) },
  )
  observer.observe(element)
  return () => observer.disconnect()
}

/** Of an element in a row that one swipes through so much must be visible; not all, because sizes are rounded. */
const wholeRatio = 0.9

type SightOptions = {
  /** How far beside the screen still counts. */
  marginPx?: number
  /** The row that one swipes through: an element in it counts only as a whole. */
  swiped?: Element | null | undefined
}

/**
 * Calls back at once and on each change whether an element is on the screen, until the returned function is called. It is
 * measured at first: a tab in the background tells its observers nothing before it is shown.
 */
export function watchSight(
  element: Element,
  onChange: (isInSight: boolean) => void,
  { marginPx = 0, swiped }: SightOptions = {},
): () => void {
  const { top, bottom, left, right, width } = element.getBoundingClientRect()
  const row = swiped?.getBoundingClientRect()
  const isInRow =
    row === undefined || Math.min(right, row.right) - Math.max(left, row.left) >= width * wholeRatio
  onChange(isInRow && bottom >= -marginPx && top <= window.innerHeight + marginPx)
  const observer = new IntersectionObserver((entries) => onChange(entries.at(-1)?.isIntersecting === true), {
    rootMargin: `${marginPx}px`,
    threshold: swiped ? wholeRatio : 0,
  })
  observer.observe(element)
  return () => observer.disconnect()
}

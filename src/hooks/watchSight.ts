/**
 * Calls back at once and on each change whether an element is on the screen, until the returned function is called. It is
 * measured at first: a tab in the background tells its observers nothing before it is shown.
 * @param marginPx how far beside the screen still counts
 */
export function watchSight(
  element: Element,
  onChange: (isInSight: boolean) => void,
  { marginPx = 0 }: { marginPx?: number } = {},
): () => void {
  const { top, bottom } = element.getBoundingClientRect()
  onChange(bottom >= -marginPx && top <= window.innerHeight + marginPx)
  const observer = new IntersectionObserver((entries) => onChange(entries.at(-1)?.isIntersecting === true), {
    rootMargin: `${marginPx}px`,
  })
  observer.observe(element)
  return () => observer.disconnect()
}

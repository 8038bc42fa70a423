/** The fade after a price change, in ms. */
const flashMs = 300

/** Created once; `matches` is read at each price. */
let reducedMotion: MediaQueryList | undefined

/**
 * Flashes the background of a price in the colour of its direction: 8 % at once, then a fade. It does nothing if the
 * user prefers reduced motion. The text itself stays ink.
 */
export function flash(node: HTMLElement, direction: 'up' | 'down'): void {
  reducedMotion ??= window.matchMedia('(prefers-reduced-motion: reduce)')
  if (reducedMotion.matches) return
  const from = `color-mix(in srgb, var(--${direction}) 8%, transparent)`
  node.animate([{ backgroundColor: from }, { backgroundColor: 'transparent' }], {
    duration: flashMs,
    easing: 'ease-out',
  })
}

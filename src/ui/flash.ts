/** The fade after a price moved, in ms. */
const flashMs = 300

/** Asked once: whether it matches is read anew at each price. */
let reducedMotion: MediaQueryList | undefined

/**
 * Lights the ground behind a price for a moment, in its direction: 8 % at once, then a fade. Does nothing
 * for whoever asked for less motion. The figure itself stays ink.
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

import './flash.css'

/** The fade after a price change, in ms. */
const flashMs = 300

/** Created once; `matches` is read at each price. */
let reducedMotion: MediaQueryList | undefined

/** The fade that an element shows, which a new price replaces. */
const fades = new WeakMap<HTMLElement, Animation>()

/**
 * Flashes the background of a price in the colour of its direction: 8 % at once, then a fade. It does nothing if the
 * user prefers reduced motion. The text itself stays ink. Only the opacity of a layer behind the text changes, so that
 * the fade needs no work of the main thread while prices run.
 */
export function flash(node: HTMLElement, direction: 'up' | 'down'): void {
  reducedMotion ??= window.matchMedia('(prefers-reduced-motion: reduce)')
  if (reducedMotion.matches) return
  node.dataset['flash'] = direction
  fades.get(node)?.cancel()
  const fade = node.animate([{ opacity: 1 }, { opacity: 0 }], {
    duration: flashMs,
    easing: 'ease-out',
    pseudoElement: '::before',
  })
  fades.set(node, fade)
}

/** Longer than the press that shows the crosshair, ms. */
const pressMs = 800
/** A finger that moves further than this, in px, scrolls or reads the crosshair. */
const moveMax = 10

/**
 * Calls `onMenu` with the height in the window, px, where a mouse asks for the context menu or a finger is held still, and
 * with undefined if the keyboard asks for it.
 */
export function listenMenu(
  container: HTMLElement,
  onMenu: (clientY: number | undefined) => void,
): () => void {
  let press: { id: number; x: number; y: number; timer: ReturnType<typeof setTimeout> } | undefined
  /** A browser that has a context menu for a long press sends its event too. */
  let isTouch = false
  const release = () => {
    clearTimeout(press?.timer)
    press = undefined
  }
  const onDown = (event: PointerEvent) => {
    const isSecond = press !== undefined
    release()
    isTouch = event.pointerType !== 'mouse'
    if (!isTouch || isSecond) return
    const { pointerId: id, clientX: x, clientY: y } = event
    const timer = setTimeout(() => {
      release()
      onMenu(y)
    }, pressMs)
    press = { id, x, y, timer }
  }
  const onMove = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (press?.id !== pointerId) return
    if (Math.hypot(clientX - press.x, clientY - press.y) > moveMax) release()
  }
  const onKeyDown = () => {
    isTouch = false
  }
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault()
    if (isTouch) return
    // Of the menu key the event is at no place of the pointer.
    const fromKey = event.button !== 2
    onMenu(fromKey ? undefined : event.clientY)
  }
  const stop = new AbortController()
  const options = { signal: stop.signal }
  container.addEventListener('pointerdown', onDown, options)
  container.addEventListener('pointermove', onMove, options)
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const)
    container.addEventListener(end, release, options)
  container.addEventListener('keydown', onKeyDown, options)
  container.addEventListener('contextmenu', onContextMenu, options)
  return () => {
    stop.abort()
    release()
  }
}

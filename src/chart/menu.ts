import type { Point } from './types.ts'

/**
 * Calls `onMenu` with the place in the window, px, where a mouse asks for the context menu, and with undefined if the
 * keyboard asks for it. A finger that is held has no menu: it reads the crosshair.
 */
export function listenMenu(container: HTMLElement, onMenu: (at: Point | undefined) => void): () => void {
  /** A browser that has a context menu for a long press sends its event too. */
  let isTouch = false
  const onDown = ({ pointerType }: PointerEvent) => {
    isTouch = pointerType !== 'mouse'
  }
  const onKeyDown = () => {
    isTouch = false
  }
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault()
    if (isTouch) return
    // Of the menu key the event is at no place of the pointer.
    const fromKey = event.button !== 2
    onMenu(fromKey ? undefined : { x: event.clientX, y: event.clientY })
  }
  const stop = new AbortController()
  const options = { signal: stop.signal }
  container.addEventListener('pointerdown', onDown, options)
  container.addEventListener('keydown', onKeyDown, options)
  container.addEventListener('contextmenu', onContextMenu, options)
  return () => stop.abort()
}

import { useEffect, type RefObject } from 'react'
import { useLatest } from '../hooks/useLatest.ts'

/**
 * The indicator moves by `dragRatio` of the finger's distance, up to `maxPullPx`; from `triggerPx` on, releasing
 * refreshes.
 */
const dragRatio = 0.5
const maxPullPx = 84
const triggerPx = 60
/** Within this distance a touch may still become a tap or a horizontal swipe. */
const touchSlopPx = 8

type Pull = { x: number; y: number; distance: number; isPulling: boolean }

/**
 * Handles a touch pull from the top of the page. Writes `--pulled` and `data-pull` to the node directly, so nothing
 * renders. Calls back if it is released beyond the trigger distance.
 */
export function usePullToRefresh(node: RefObject<HTMLElement | null>, onRefresh: () => void): void {
  const latestRefresh = useLatest(onRefresh)
  useEffect(() => {
    let pull: Pull | undefined
    const show = (distance: number): void => {
      node.current?.style.setProperty('--pulled', `${distance}px`)
      node.current?.setAttribute('data-pull', distance >= triggerPx ? 'enough' : 'held')
    }
    const end = (event: TouchEvent): void => {
      const isTriggered = pull?.isPulling === true && event.type === 'touchend' && pull.distance >= triggerPx
      pull = undefined
      node.current?.style.removeProperty('--pulled')
      node.current?.removeAttribute('data-pull')
      if (isTriggered) latestRefresh()()
    }
    const start = (event: TouchEvent): void => {
      const touch = event.touches[0]
      if (event.touches.length > 1) return end(event)
      if (touch === undefined || scrollY > 0 || !startsOnPage(event.target)) return
      pull = { x: touch.clientX, y: touch.clientY, distance: 0, isPulling: false }
    }
    const move = (event: TouchEvent): void => {
      const touch = event.touches[0]
      if (pull === undefined || touch === undefined) return
      const down = touch.clientY - pull.y
      if (!pull.isPulling) {
        const sideways = Math.abs(touch.clientX - pull.x)
        if (Math.max(sideways, Math.abs(down)) < touchSlopPx) return
        if (down <= sideways || scrollY > 0) {
          pull = undefined
          return
        }
        pull.isPulling = true
      }
      pull.distance = Math.min(maxPullPx, Math.max(0, (down - touchSlopPx) * dragRatio))
      show(pull.distance)
    }
    const passive = { passive: true }
    addEventListener('touchstart', start, passive)
    addEventListener('touchmove', move, passive)
    addEventListener('touchend', end, passive)
    addEventListener('touchcancel', end, passive)
    return () => {
      removeEventListener('touchstart', start)
      removeEventListener('touchmove', move)
      removeEventListener('touchend', end)
      removeEventListener('touchcancel', end)
    }
  }, [node, latestRefresh])
}

/** Whether a touch starts on the page: not on a sheet, nor in a scrolled container. */
function startsOnPage(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.closest('[role="dialog"], [role="alertdialog"]')) return false
  for (
    let element: Element | null = target;
    element && element !== document.documentElement;
    element = element.parentElement
  ) {
    if (element.scrollTop > 0) return false
  }
  return true
}

import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** What follows the finger goes this share of its way, up to `furthest` px; from `enough` on, letting go counts. */
const dragRatio = 0.5
const maxPullPx = 84
const triggerPx = 60
/** Before this many px a touch may still become a tap, or a swipe sideways. */
const touchSlopPx = 8

type Pull = { x: number; y: number; distance: number; isPulling: boolean }

/**
 * A pull from the top of the page, by touch. Writes `--pulled` and `data-pull` to the node itself, so nothing renders;
 * calls back when it is let go far enough down.
 */
export function usePullToRefresh(node: RefObject<HTMLElement | null>, onRefresh: () => void): void {
  const latest = useRef(onRefresh)
  useEffect(() => {
    latest.current = onRefresh
  })
  useEffect(() => {
    let pull: Pull | undefined
    const show = (distance: number): void => {
      node.current?.style.setProperty('--pulled', `${distance}px`)
      node.current?.setAttribute('data-pull', distance >= triggerPx ? 'enough' : 'held')
    }
    const end = (event: TouchEvent): void => {
      const done = pull?.isPulling === true && event.type === 'touchend' && pull.distance >= triggerPx
      pull = undefined
      node.current?.style.removeProperty('--pulled')
      node.current?.removeAttribute('data-pull')
      if (done) latest.current()
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
  }, [node])
}

/** Not a sheet over the page, nor a part of it that is scrolled down itself. */
function startsOnPage(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.closest('[role="dialog"], [role="alertdialog"]')) return false
  for (
    let part: Element | null = target;
    part && part !== document.documentElement;
    part = part.parentElement
  ) {
    if (part.scrollTop > 0) return false
  }
  return true
}

import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** What follows the finger goes this share of its way, up to `furthest` px; from `enough` on, letting go counts. */
const share = 0.5
const furthest = 84
const enough = 60
/** Before this many px a touch may still become a tap, or a swipe sideways. */
const slop = 8

type Pull = { x: number; y: number; way: number; pulling: boolean }

/**
 * A pull from the top of the page, by touch. Writes `--pulled` and `data-pull` to the node itself, so nothing renders;
 * calls back when it is let go far enough down.
 */
export function usePull(node: RefObject<HTMLElement | null>, onPulled: () => void): void {
  const latest = useRef(onPulled)
  useEffect(() => {
    latest.current = onPulled
  })
  useEffect(() => {
    let pull: Pull | undefined
    const show = (way: number): void => {
      node.current?.style.setProperty('--pulled', `${way}px`)
      node.current?.setAttribute('data-pull', way >= enough ? 'enough' : 'held')
    }
    const end = (event: TouchEvent): void => {
      const done = pull?.pulling === true && event.type === 'touchend' && pull.way >= enough
      pull = undefined
      node.current?.style.removeProperty('--pulled')
      node.current?.removeAttribute('data-pull')
      if (done) latest.current()
    }
    const start = (event: TouchEvent): void => {
      const touch = event.touches[0]
      if (event.touches.length > 1) return end(event)
      if (touch === undefined || scrollY > 0 || !isPage(event.target)) return
      pull = { x: touch.clientX, y: touch.clientY, way: 0, pulling: false }
    }
    const move = (event: TouchEvent): void => {
      const touch = event.touches[0]
      if (pull === undefined || touch === undefined) return
      const down = touch.clientY - pull.y
      if (!pull.pulling) {
        const sideways = Math.abs(touch.clientX - pull.x)
        if (Math.max(sideways, Math.abs(down)) < slop) return
        if (down <= sideways || scrollY > 0) {
          pull = undefined
          return
        }
        pull.pulling = true
      }
      pull.way = Math.min(furthest, Math.max(0, (down - slop) * share))
      show(pull.way)
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
function isPage(target: EventTarget | null): boolean {
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

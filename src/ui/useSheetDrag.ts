import { useRef } from 'react'
import type { PointerEvent } from 'react'

/** A pull this far, in px, or this fast, in px per ms, closes the sheet; less lets it spring back. */
const closeDistance = 96
const closeSpeed = 0.5

type Drag = {
  sheet: HTMLElement
  startY: number
  startMs: number
  distance: number
}

/** Handlers for the head of a sheet: pull it down to close. Writes the transform itself, so nothing renders. */
export function useSheetDrag(onClose: () => void, locked: boolean) {
  const drag = useRef<Drag | null>(null)

  const endDrag = (event: PointerEvent<HTMLElement>, cancelled: boolean) => {
    const current = drag.current
    if (current === null) return
    drag.current = null
    current.sheet.style.removeProperty('transform')
    current.sheet.style.removeProperty('transition')
    const speed = current.distance / Math.max(1, event.timeStamp - current.startMs)
    if (!cancelled && (current.distance > closeDistance || (current.distance > 24 && speed > closeSpeed)))
      onClose()
  }

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const sheet = event.currentTarget.parentElement
      const onButton = event.target instanceof Element && event.target.closest('button') !== null
      if (locked || onButton || sheet === null || event.button !== 0) return
      // From 900 px it is a dialog in the middle: there is no edge to push it over.
      if (window.matchMedia('(min-width: 900px)').matches) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { sheet, startY: event.clientY, startMs: event.timeStamp, distance: 0 }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const current = drag.current
      if (current === null) return
      current.distance = Math.max(0, event.clientY - current.startY)
      current.sheet.style.transition = 'none'
      current.sheet.style.transform = `translateY(${current.distance}px)`
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => endDrag(event, false),
    onPointerCancel: (event: PointerEvent<HTMLElement>) => endDrag(event, true),
  }
}

import { useRef, type PointerEvent } from 'react'

/** A drag this far, in px, or this fast, in px per ms, closes the sheet; otherwise it springs back. */
const closeDistance = 96
const closeSpeed = 0.5

type Drag = {
  sheet: HTMLElement
  startY: number
  startMs: number
  distance: number
}

/** Handlers for the header of a sheet: drag it down to close. Writes the transform directly, so nothing renders. */
export function useSheetDrag(onClose: () => void, locked: boolean) {
  const drag = useRef<Drag | null>(null)

  const endDrag = (event: PointerEvent<HTMLElement>, isCancelled: boolean) => {
    const current = drag.current
    if (current === null) return
    drag.current = null
    current.sheet.style.removeProperty('transform')
    current.sheet.style.removeProperty('transition')
    const speed = current.distance / Math.max(1, event.timeStamp - current.startMs)
    if (!isCancelled && (current.distance > closeDistance || (current.distance > 24 && speed > closeSpeed)))
      onClose()
  }

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const sheet = event.currentTarget.parentElement
      const onButton = event.target instanceof Element && event.target.closest('button') !== null
      if (locked || onButton || sheet === null || event.button !== 0) return
      // From 900 px it is a centred dialog, which cannot be dragged.
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

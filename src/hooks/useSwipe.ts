import { useRef, type PointerEvent } from 'react'

/** A swipe is this far, px, at least twice as far sideways as down, and this quick, ms. */
const distanceMin = 48
const durationMaxMs = 700
/** Width of the edge in which a phone's own back gesture starts, px. */
const edgePx = 24

type Start = { x: number; y: number; at: number; pointer: number }

/** Handlers for a sideways swipe of one finger: 1 is to what comes after, as a page is turned. */
export function useSwipe(onSwipe: (step: 1 | -1) => void) {
  const start = useRef<Start | undefined>(undefined)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { clientX, clientY, timeStamp, pointerId, isPrimary, pointerType } = event
      const isAtEdge = clientX < edgePx || clientX > window.innerWidth - edgePx
      // React passes on what happens in a sheet that one of the children opened.
      const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
      const isStart = isPrimary && pointerType === 'touch' && !isAtEdge && isInside
      start.current = isStart ? { x: clientX, y: clientY, at: timeStamp, pointer: pointerId } : undefined
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const from = start.current
      start.current = undefined
      if (from === undefined || event.pointerId !== from.pointer) return
      const [x, y] = [event.clientX - from.x, event.clientY - from.y]
      const isQuick = event.timeStamp - from.at <= durationMaxMs
      if (isQuick && Math.abs(x) >= distanceMin && Math.abs(x) >= 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
    onPointerCancel: () => {
      start.current = undefined
    },
  }
}

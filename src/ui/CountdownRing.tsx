import { useLayoutEffect, useRef } from 'react'
import { Icon } from './Icon.tsx'
import styles from './CountdownRing.module.css'
import { formatTimeLeft } from './formatTimeLeft.ts'
import { Ring, drawArc } from './Ring.tsx'
import { useLatest } from '../hooks/useLatest.ts'

/** Calls `paint` with the remaining time in ms, at once and on each change; returns the function that stops it. */
export type CountdownSource = (paint: (remainingMs: number) => void) => () => void

export type CountdownRingProps = {
  /** The order's total duration in ms. */
  totalMs: number
  /** The source of the remaining time. It must be stable between renders: a new one binds again. */
  bind: CountdownSource
  /** The accessible name, such as "Time left". */
  label: string
  /** The label of the hourglass once the time is up. */
  settlingLabel: string
  /** The screen reader announcement at ten and five seconds left. */
  announcement: (seconds: number) => string
}

const announcedSeconds = [0, 5, 10] as const

/** Which mark of 10, 5 and 0 seconds was passed between two steps. Only these are announced. */
export function passedMark(beforeMs: number, nowMs: number): 0 | 5 | 10 | undefined {
  return announcedSeconds.find((mark) => beforeMs > mark * 1000 && nowMs <= mark * 1000)
}

/**
 * The countdown of an open order; a dash until its source emits. React renders it once: each step writes the arc's
 * dash and, if they changed, the digits directly into their nodes. At zero the hourglass replaces them.
 */
export function CountdownRing({ totalMs, bind, label, settlingLabel, announcement }: CountdownRingProps) {
  const root = useRef<HTMLDivElement>(null)
  const arc = useRef<SVGCircleElement>(null)
  const digits = useRef<HTMLSpanElement>(null)
  const liveRegion = useRef<HTMLSpanElement>(null)
  /** Not reset when the source changes, so that no mark is missed. */
  const previousMs = useRef(-1)
  const labels = useLatest({ settlingLabel, announcement })
  // The longer text of an order over a minute needs the larger ring from its first second to its last.
  const size = totalMs > 60_000 ? 44 : 40

  useLayoutEffect(() => {
    let shownText = ''
    return bind((remainingMs) => {
      const mark = passedMark(previousMs.current, remainingMs)
      previousMs.current = remainingMs
      if (mark !== undefined && liveRegion.current !== null)
        liveRegion.current.textContent = mark === 0 ? labels().settlingLabel : labels().announcement(mark)
      if (root.current === null || arc.current === null || digits.current === null) return
      drawArc(arc.current, Math.min(1, Math.max(0, remainingMs / totalMs)))
      const text = formatTimeLeft(remainingMs, 'ring')
      if (text === shownText) return
      shownText = text
      digits.current.textContent = text
      digits.current.toggleAttribute('data-long', text.length > 4)
      root.current.toggleAttribute('data-settling', remainingMs <= 0)
    })
  }, [bind, totalMs, labels])

  return (
    <Ring
      ref={root}
      arcRef={arc}
      className={styles.ring}
      size={size}
      strokeWidth={2.5}
      fraction={0}
      role="timer"
      aria-label={label}
    >
      <span ref={digits} className={styles.digits}>
        —
      </span>
      <span ref={liveRegion} className={styles.voice} aria-live="polite" />
      <Icon name="hourglass-medium" size={18} label={settlingLabel} className={styles.settling} />
    </Ring>
  )
}

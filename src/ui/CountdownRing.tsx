import { useLayoutEffect, useRef } from 'react'
import { Icon } from './Icon.tsx'
import styles from './CountdownRing.module.css'
import { formatTimeLeft } from './formatTimeLeft.ts'

/** Calls `paint` with what is left, in ms, now and whenever it changes; returns how to stop. */
export type CountdownSource = (paint: (remainingMs: number) => void) => () => void

export type CountdownRingProps = {
  /** The order's whole time, in ms. */
  totalMs: number
  /** Where the remaining time comes from. Keep it stable between renders: a new one binds again. */
  bind: CountdownSource
  /** Names the timer: "Time left". */
  label: string
  /** Said of the hourglass once the time is up. */
  settlingLabel: string
  /** What a screen reader says with ten and five seconds left. */
  announcement: (seconds: number) => string
}

const strokeWidth = 2.5

const spokenAt = [0, 5, 10] as const

/** Which of 10, 5 and 0 seconds was passed between two steps: the only ones said aloud, and a late one not at all. */
export function passedMark(beforeMs: number, nowMs: number): 0 | 5 | 10 | undefined {
  return spokenAt.find((mark) => beforeMs > mark * 1000 && nowMs <= mark * 1000)
}

/**
 * The countdown of an open order, a dash before its source says anything. React renders it once: each step writes the
 * arc's dash and, when they changed, the digits, straight into their nodes. At zero the hourglass stands in their place.
 */
export function CountdownRing({ totalMs, bind, label, settlingLabel, announcement }: CountdownRingProps) {
  const root = useRef<HTMLDivElement>(null)
  const arc = useRef<SVGCircleElement>(null)
  const digits = useRef<HTMLSpanElement>(null)
  const liveRegion = useRef<HTMLSpanElement>(null)
  /** Kept when the source changes, so that no mark falls between two of them. */
  const previousMs = useRef(-1)
  const labels = useRef({ settlingLabel, announcement })
  // The longer figure of an order over a minute needs the larger ring from its first second to its last.
  const size = totalMs > 60_000 ? 44 : 40
  const radius = (size - strokeWidth) / 2
  const circumference = 2 * Math.PI * radius

  useLayoutEffect(() => {
    labels.current = { settlingLabel, announcement }
  })

  useLayoutEffect(() => {
    let written = ''
    return bind((remainingMs) => {
      const mark = passedMark(previousMs.current, remainingMs)
      previousMs.current = remainingMs
      if (mark !== undefined && liveRegion.current !== null)
        liveRegion.current.textContent =
          mark === 0 ? labels.current.settlingLabel : labels.current.announcement(mark)
      if (root.current === null || arc.current === null || digits.current === null) return
      const fractionLeft = Math.min(1, Math.max(0, remainingMs / totalMs))
      arc.current.style.strokeDashoffset = String(circumference * (1 - fractionLeft))
      const text = formatTimeLeft(remainingMs, 'ring')
      if (text === written) return
      written = text
      digits.current.textContent = text
      digits.current.toggleAttribute('data-long', text.length > 4)
      root.current.toggleAttribute('data-settling', remainingMs <= 0)
    })
  }, [bind, totalMs, circumference])

  const circle = { cx: size / 2, cy: size / 2, r: radius, strokeWidth, fill: 'none' }
  return (
    <div
      ref={root}
      className={styles.ring}
      role="timer"
      aria-label={label}
      style={{ width: size, height: size }}
    >
      <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <circle {...circle} className={styles.track} />
        <circle
          ref={arc}
          {...circle}
          className={styles.arc}
          strokeDasharray={circumference}
          strokeDashoffset={circumference}
        />
      </svg>
      <span ref={digits} className={styles.digits}>
        —
      </span>
      <span ref={liveRegion} className={styles.voice} aria-live="polite" />
      <Icon name="hourglass-medium" size={18} label={settlingLabel} className={styles.settling} />
    </div>
  )
}

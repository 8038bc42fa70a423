import { useCallback, useEffect, useRef, useState } from 'react'

/** A node's current width in CSS px, for drawings that do not scale their text. */
export function useWidth(initial: number): [measure: (node: Element | null) => void, width: number] {
  const [width, setWidth] = useState(initial)
  const observer = useRef<ResizeObserver>(undefined)
  useEffect(() => {
    return () => observer.current?.disconnect()
  }, [])
  const measure = useCallback((node: Element | null) => {
    observer.current?.disconnect()
    if (node === null) return
    observer.current = new ResizeObserver(() => setWidth(Math.round(node.getBoundingClientRect().width)))
    observer.current.observe(node)
  }, [])
  return [measure, width]
}

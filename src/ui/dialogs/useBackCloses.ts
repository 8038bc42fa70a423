import { useEffect, type MouseEvent } from 'react'
import { navigate } from '../../router/hashLocation.ts'
import { addSheetEntry } from '../../router/sheetEntries.ts'
import { useLatest } from '../../hooks/useLatest.ts'

/** The browser's and the phone's Back close what is open, unless it is locked. */
export function useBackCloses(open: boolean, onClose: () => void, locked = false): void {
  const latest = useLatest({ onClose, locked })
  useEffect(() => {
    if (!open) return undefined
    return addSheetEntry(() => {
      const { onClose, locked } = latest()
      if (!locked) onClose()
      return !locked
    })
  }, [open, latest])
}

/** A link inside a sheet leaves no entry of the sheet behind. */
export function followLink(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  const isTaken = event.defaultPrevented || event.button !== 0 || hasModifier
  if (!(link instanceof HTMLAnchorElement) || isTaken || link.target !== '') return
  event.preventDefault()
  navigate(link.hash.slice(1))
}

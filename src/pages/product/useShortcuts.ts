import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { Shortcut } from './shortcut.ts'
import { acceptsShortcuts, shortcutOf } from './shortcut.ts'

/** Handles the ticket's shortcuts while `isOn`, unless the focused element handles the key. */
export function useShortcuts(
  ticket: RefObject<HTMLElement | null>,
  isOn: boolean,
  onPress: (shortcut: Shortcut) => void,
): void {
  const onShortcut = useRef(onPress)
  useEffect(() => {
    onShortcut.current = onPress
  })
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event)
      if (shortcut === undefined || ticket.current === null) return
      if (!acceptsShortcuts(document.activeElement, ticket.current)) return
      event.preventDefault()
      onShortcut.current(shortcut)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [ticket, isOn])
}

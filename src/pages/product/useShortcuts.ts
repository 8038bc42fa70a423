import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { Shortcut } from './shortcut.ts'
import { listensAt, shortcutOf } from './shortcut.ts'

/** Acts on the ticket's keys while `on`, wherever on the page nothing else wants them. */
export function useShortcuts(
  ticket: RefObject<HTMLElement | null>,
  on: boolean,
  act: (shortcut: Shortcut) => void,
): void {
  const onShortcut = useRef(act)
  useEffect(() => {
    onShortcut.current = act
  })
  useEffect(() => {
    if (!on) return undefined
    const pressed = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event)
      if (shortcut === undefined || ticket.current === null) return
      if (!listensAt(document.activeElement, ticket.current)) return
      event.preventDefault()
      onShortcut.current(shortcut)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [ticket, on])
}

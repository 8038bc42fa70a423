import type { KeyboardEvent } from 'react'
import { keyOf } from './commands.ts'

/** Ctrl+Enter in a field sends its form, with all that the form checks. */
export function sendByKey(event: KeyboardEvent): void {
  if (keyOf(event) !== 'mod+Enter') return
  event.preventDefault()
  event.currentTarget.closest('form')?.requestSubmit()
}

import type { Direction } from '../../../contract/orders.ts'
import { isComposing } from '../../lib/composing.ts'

/** The effect of a key on the product's page of a wide screen. */
export type Shortcut =
  | { kind: 'duration'; index: number }
  | { kind: 'direction'; direction: Direction }
  /** The next product, or the one before. */
  | { kind: 'product'; step: 1 | -1 }

export type KeyPress = Pick<
  KeyboardEvent,
  | 'key'
  | 'code'
  | 'altKey'
  | 'ctrlKey'
  | 'metaKey'
  | 'shiftKey'
  | 'repeat'
  | 'isComposing'
  | 'keyCode'
  | 'defaultPrevented'
>

/** One key per duration, up to the number the ticket shows at once. */
export const durationKeysMax = 6

/** The shortcut behind a key press: 1 to 6 select a duration by its position, U and D a direction, N and P a product. */
export function shortcutOf(press: KeyPress): Shortcut | undefined {
  // A key held down must not advance from one step of an order to the next.
  if (press.repeat || isComposing(press) || press.defaultPrevented) return undefined
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return undefined
  const symbol = keySymbol(press)
  if (symbol === 'u') return { kind: 'direction', direction: 'up' }
  if (symbol === 'd') return { kind: 'direction', direction: 'down' }
  if (symbol === 'n') return { kind: 'product', step: 1 }
  if (symbol === 'p') return { kind: 'product', step: -1 }
  const index = Number(symbol) - 1
  return index >= 0 && index < durationKeysMax ? { kind: 'duration', index } : undefined
}

/** The character of the key; on a non-Latin layout, the character at that position of a Latin keyboard. */
function keySymbol({ key, code }: KeyPress): string {
  if (/^[a-z0-9]$/i.test(key)) return key.toLowerCase()
  return (/^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1] ?? '').toLowerCase()
}

/** Whether shortcuts apply: not in text fields or dialogs, and outside their region a key belongs to the focused element. */
export function acceptsShortcuts(focused: Element | null, region: Element): boolean {
  if (focused === null || focused === document.body) return true
  // A page's heading takes the focus on navigation, so the member has not focused anything.
  if (focused.matches('h1')) return true
  if (focused.closest('[role=dialog]') !== null) return false
  return region.contains(focused) && !focused.matches('input:not([type=radio]), textarea, select')
}

import { createEmitter } from '../../src/lib/emitter.ts'
import type { TextKey } from '../i18n.ts'
import { openFocusedRow } from './focusedRow.ts'

/** Where a command is listed in the help. */
export const commandGroups = ['go', 'list', 'request', 'general'] as const
export type CommandGroup = (typeof commandGroups)[number]

export type Command = {
  /** Names the command and its text. */
  label: TextKey
  /**
   * A key as the browser names it (`a`, `Enter`, `?`), `mod+k` with Ctrl or ⌘, or two keys in a row (`g d`); empty if it is
   * only in the palette.
   */
  keys: string
  group: CommandGroup
  /** What it is done to, if its name does not say so. */
  of?: 'member'
  run: () => void
  /** Also runs while a text is typed. */
  inFields?: boolean
}

const commands = new Set<Command>()
const emitter = createEmitter()
let snapshot: readonly Command[] = []

function changed(): void {
  snapshot = [...commands]
  emitter.emit()
}

/** Adds commands while a component is on screen. The newest one of a key counts. */
export function addCommands(added: readonly Command[]): () => void {
  for (const command of added) commands.add(command)
  changed()
  return () => {
    for (const command of added) commands.delete(command)
    changed()
  }
}

/** For `useSyncExternalStore`. */
export const currentCommands = (): readonly Command[] => snapshot
export const watchCommands = emitter.subscribe

/** How long the second key of two in a row may take. */
const sequenceMs = 1500

/**
 * The letters that do something to a request, whether the open one offers it or not. None of them ever acts on another request
 * than the one with the focus ring: it opens that one first.
 */
const requestLetters = 'acdlmprsx'
const isOfRequest = (key: string, command: Command | undefined): boolean =>
  requestLetters.includes(key) && (command === undefined || command.group === 'request')

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  (target as HTMLInputElement).type !== 'checkbox'

/** The key of an event as commands name it: a letter in lower case, `mod+` before it with Ctrl or ⌘. */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key
}

/**
 * Runs the command of each key pressed on the page. Single keys do nothing while a text is typed, while a dialog is open
 * (its own controls come first) or if `allowsSingleKeys` says no.
 */
export function startKeys(allowsSingleKeys: () => boolean): () => void {
  let pending: { key: string; at: number } | null = null
  const find = (keys: string): Command | undefined =>
    snapshot.findLast((command) => command.keys !== '' && command.keys === keys)
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const key = keyOf(event)
    const hasModifier = key.startsWith('mod+')
    if (!hasModifier && (!allowsSingleKeys() || document.querySelector('[role="dialog"]') !== null)) return
    const first = pending !== null && event.timeStamp - pending.at < sequenceMs ? `${pending.key} ` : ''
    pending = null
    const command = find(`${first}${key}`) ?? find(key)
    if (isField(event.target) && !hasModifier && command?.inFields !== true) return
    if (isOfRequest(key, command) && openFocusedRow()) return event.preventDefault()
    if (command !== undefined) {
      event.preventDefault()
      command.run()
    } else if (!hasModifier && snapshot.some(({ keys }) => keys.startsWith(`${key} `))) {
      pending = { key, at: event.timeStamp }
    }
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}

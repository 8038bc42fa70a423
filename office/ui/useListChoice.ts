import { useId, useState, type KeyboardEvent } from 'react'

/**
 * A field whose arrows move through a list and whose Enter chooses: the field keeps the focus, so options are not in the tab
 * order, and a press of the pointer must not take the focus either.
 */
export function useListChoice<T extends { id: string }>(entries: readonly T[], choose: (entry: T) => void) {
  const listId = useId()
  const [at, setAt] = useState(0)
  const active = entries[Math.min(at, entries.length - 1)]
  const optionId = (entry: T): string => `${listId}-${entry.id}`
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      const next = (at + step + entries.length) % entries.length
      setAt(next)
      const entry = entries[next]
      if (entry) document.getElementById(optionId(entry))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      setAt(0)
      if (active !== undefined) choose(active)
    }
  }
  return {
    /** Begins at the first entry again, when others are listed. */
    restart: () => setAt(0),
    fieldProps: {
      'aria-activedescendant': active && optionId(active),
      autoComplete: 'off',
      spellCheck: false,
      onKeyDown,
    },
    listProps: { id: listId, role: 'listbox' },
    optionProps: (entry: T) => ({
      id: optionId(entry),
      role: 'option',
      tabIndex: -1,
      'aria-selected': entry === active,
    }),
  }
}

import { useState, type FocusEvent } from 'react'
import { flushSync } from 'react-dom'

type Focus = FocusEvent<HTMLInputElement>

/**
 * The value of a field for a number: `grouped` while nobody types in it, the plain `text` from the focus to the blur. Text
 * that was all selected by the focus stays so.
 */
export function useGrouped(text: string, grouped: string) {
  const [isTyping, setTyping] = useState(false)
  return {
    value: isTyping ? text : grouped,
    /** To be called with each edit: a focus from before the app ran was not told. */
    onTyping: () => setTyping(true),
    onFocus: ({ currentTarget: field }: Focus) => {
      const isAllSelected = field.selectionStart === 0 && field.selectionEnd === field.value.length
      // Before the pointer or a shortcut sets the selection.
      flushSync(() => setTyping(true))
      if (isAllSelected && text !== grouped) field.select()
    },
    onBlur: () => setTyping(false),
  }
}

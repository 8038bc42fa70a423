import { useState } from 'react'

/**
 * Handles typing in a field whose text is changed as it is typed: `change` is applied at once, but only at the end of an
 * input method's composition, which it would break.
 */
export function useTyping(change: (typed: string) => string, put: (text: string) => void) {
  const [composing, setComposing] = useState(false)
  return {
    onValue: (typed: string) => put(composing ? typed : change(typed)),
    onCompositionStart: () => setComposing(true),
    onCompositionEnd: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setComposing(false)
      put(change(currentTarget.value))
    },
  }
}

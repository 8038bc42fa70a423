import { useRef, type KeyboardEvent } from 'react'

/**
 * The text field in an element: commands focus it, and Escape leaves it, since typing keeps the keys from the commands.
 * `props` are the element's.
 */
export function useTextField() {
  const ref = useRef<HTMLDivElement>(null)
  const field = (): HTMLTextAreaElement | null => ref.current?.querySelector('textarea') ?? null
  const leave = (): void => field()?.blur()
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.target !== field()) return
    event.preventDefault()
    leave()
  }
  return { props: { ref, onKeyDown }, focus: (): void => field()?.focus(), leave }
}

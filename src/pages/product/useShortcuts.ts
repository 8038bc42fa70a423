import { useEffect, type RefObject } from 'react'
import { acceptsShortcuts, shortcutOf, type Shortcut } from './shortcut.ts'
import { useLatest } from '../../hooks/useLatest.ts'

/**
 * Handles shortcuts while `isOn`, unless the focused element handles the key.
 * @param onPress returns whether the shortcut was its own
 */
export function useShortcuts(
  region: RefObject<HTMLElement | null>,
  isOn: boolean,
  onPress: (shortcut: Shortcut) => boolean,
): void {
  const latestPress = useLatest(onPress)
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event)
      if (shortcut === undefined || region.current === null) return
      if (!acceptsShortcuts(document.activeElement, region.current)) return
      if (latestPress()(shortcut)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [region, isOn, latestPress])
}

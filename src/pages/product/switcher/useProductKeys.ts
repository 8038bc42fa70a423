import type { RefObject } from 'react'
import { pointerMedia, useMedia } from '../../../hooks/useMedia.ts'
import { usePreferences } from '../../../state/preferences.ts'
import { useShortcuts } from '../useShortcuts.ts'
import { useNeighbour } from './useNeighbour.ts'

/** The keys that open the next product and the one before, where single keys are on and no chart fills the screen. */
export function useProductKeys(page: RefObject<HTMLElement | null>, id: string, wide: boolean): void {
  const { shortcuts } = usePreferences()
  const isOn = useMedia(pointerMedia) && wide && shortcuts
  const open = useNeighbour(id)
  useShortcuts(page, isOn, (shortcut) => {
    const isFull = page.current?.querySelector('[data-full]') !== null
    if (shortcut.kind !== 'product' || isFull) return false
    open(shortcut.step)
    return true
  })
}

import { useEffect, useState, type RefObject } from 'react'
import { useBackCloses } from '../../../ui/dialogs/useBackCloses.ts'

/** Without it an element cannot be moved above the page, where no ancestor's layout contains it. */
export const canFillScreen = typeof HTMLElement !== 'undefined' && 'showPopover' in HTMLElement.prototype

/**
 * Lets an element with `popover="manual"` fill the window and return to its place, without mounting it again. Escape
 * and Back return too; meanwhile the rest of the page is inert.
 */
export function useFullScreen(
  ref: RefObject<HTMLElement | null>,
): [full: boolean, set: (full: boolean) => void] {
  const [full, setFull] = useState(false)
  useBackCloses(full, () => setFull(false))
  useEffect(() => {
    const node = ref.current
    if (!full || node === null) return undefined
    node.setAttribute('popover', 'manual')
    node.showPopover()
    const restore = makeRestInert(node)
    const onKeyDown = (event: KeyboardEvent) => {
      // A sheet above it closes first.
      if (event.key === 'Escape' && node.querySelector('[role="dialog"]') === null) setFull(false)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      restore()
      node.hidePopover()
      node.removeAttribute('popover')
    }
  }, [ref, full])
  return [full, setFull]
}

/** Everything beside an element and its ancestors except the toasts; returns what makes it usable again. */
function makeRestInert(node: HTMLElement): () => void {
  const changed: HTMLElement[] = []
  for (let at: HTMLElement = node; at !== document.body && at.parentElement !== null; at = at.parentElement) {
    for (const sibling of at.parentElement.children) {
      if (sibling === at || !(sibling instanceof HTMLElement) || sibling.inert) continue
      if ('toasts' in sibling.dataset) continue
      sibling.inert = true
      changed.push(sibling)
    }
  }
  return () => {
    for (const sibling of changed) sibling.inert = false
  }
}

import type { ChartPort } from './port.ts'

/** Keyboard control of a chart: arrows and page keys move the crosshair by 1 and 10 bars, End shows the newest. */
export function listenShortcuts(
  container: HTMLElement,
  port: Pick<ChartPort, 'step' | 'fitRight'>,
): () => void {
  const actions: Partial<Record<string, () => void>> = {
    ArrowLeft: () => port.step(-1),
    ArrowRight: () => port.step(1),
    PageUp: () => port.step(-10),
    PageDown: () => port.step(10),
    End: () => port.fitRight(),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  container.tabIndex = 0
  container.addEventListener('keydown', onKeyDown)
  return () => container.removeEventListener('keydown', onKeyDown)
}

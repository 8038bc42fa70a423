import type { ChartPort } from './port.ts'

/** Lets the keyboard read a chart: arrows and pages move the crosshair by 1 and 10 bars, End shows the newest. */
export function listenKeys(container: HTMLElement, port: Pick<ChartPort, 'step' | 'fitRight'>): () => void {
  const acts: Partial<Record<string, () => void>> = {
    ArrowLeft: () => port.step(-1),
    ArrowRight: () => port.step(1),
    PageUp: () => port.step(-10),
    PageDown: () => port.step(10),
    End: () => port.fitRight(),
  }
  const pressed = (event: KeyboardEvent) => {
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  container.tabIndex = 0
  container.addEventListener('keydown', pressed)
  return () => container.removeEventListener('keydown', pressed)
}

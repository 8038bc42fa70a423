/** When a product's page first had each of its parts, ms after the visit began. */
type Shown = Partial<Record<'line' | 'buttons' | 'chart', number>>

declare global {
  var shown: Shown
}

/**
 * Runs in the page before its scripts: notes when the day's line stands in the chart's place, when an order can be placed, and
 * when the chart has its bars. @param label of the button that opens an order
 */
export function watchStart(label: string): void {
  const shown: Shown = (globalThis.shown = {})
  const isVisible = (selector: string): boolean =>
    [...document.querySelectorAll(selector)].some((each) => each.getClientRects().length > 0)
  const isUsable = (): boolean =>
    [...document.querySelectorAll<HTMLButtonElement>('#root main button')].some(
      (each) => each.textContent.includes(label) && !each.disabled && each.closest('[inert]') === null,
    )
  const isThere: Record<keyof Shown, () => boolean> = {
    line: () => isVisible('[data-day-line] path'),
    buttons: isUsable,
    // What covers a chart without bars is an output.
    chart: () => isVisible('figure canvas') && !isVisible('section:has(figure) output'),
  }
  const look = (): void => {
    for (const [part, test] of Object.entries(isThere) as [keyof Shown, () => boolean][])
      if (shown[part] === undefined && test()) shown[part] = performance.now()
    requestAnimationFrame(look)
  }
  look()
}

/** Moves the focus to the page's title, so that screen readers announce what the page shows now. */
export const focusHeading = (): void =>
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })

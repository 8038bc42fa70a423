/** The address of the script that started this app: its name tells one build from another. */
export const runningScript = (): string | undefined =>
  document.documentElement.dataset['app'] ??
  document.querySelector('script[type="module"][src]')?.getAttribute('src') ??
  undefined

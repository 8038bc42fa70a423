/** The URL of the script that started the app: its name identifies the build. */
export const runningScript = (): string | undefined =>
  document.documentElement.dataset['app'] ??
  document.querySelector('script[type="module"][src]')?.getAttribute('src') ??
  undefined

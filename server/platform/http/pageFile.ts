/** The file of the built client that is its page in a language. */
export const pageFile = (language: string): string => `index.${language}.html`

/** The file of the built client that browsers older than the app are shown. */
export const oldBrowserPage = 'oldBrowser.html'

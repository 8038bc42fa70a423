/** The file of the built client that is its page in a language. */
export const pageFile = (language: string): string => `index.${language}.html`

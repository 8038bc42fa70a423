import i18next from 'i18next'
import { subscribe } from 'valtio'
import type { Language } from '../../contract/constants.ts'
import { conventionOf, preferences } from './preferences.ts'

const darkModeQuery = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

/**
 * Writes the member's preferences to `<html>`, where the style sheet reads them, and sets the colour of the browser's
 * bar.
 */
export function applyTheme(language: Language): void {
  const { theme, convention } = preferences
  const root = document.documentElement
  root.dataset['theme'] = theme === 'system' ? (darkModeQuery().matches ? 'dark' : 'light') : theme
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { scheme = '' } = bar.dataset
    const media = theme === scheme ? 'all' : 'not all'
    bar.setAttribute('media', theme === 'system' ? `(prefers-color-scheme: ${scheme})` : media)
  }
  root.dataset['conv'] = convention ?? conventionOf(language)
  root.lang = language
  root.dir = i18next.dir(language)
}

/**
 * Keeps `<html>` in sync with the preferences and the system. `language` is called on each change; call the returned
 * function after the language has changed.
 */
export function followTheme(language: () => Language): () => void {
  const apply = (): void => applyTheme(language())
  subscribe(preferences, apply)
  darkModeQuery().addEventListener('change', apply)
  apply()
  return apply
}

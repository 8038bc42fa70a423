import { subscribe } from 'valtio'
import { conventionOf } from '../src/state/preferences.ts'
import { preferences, type OfficeLanguage } from './preferences.ts'

const darkMode = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

/** Keeps `<html>` in sync with the chosen theme and the language. Call the result after the language has changed. */
export function followTheme(language: () => OfficeLanguage): () => void {
  const apply = (): void => {
    const root = document.documentElement
    const { theme } = preferences
    root.dataset['theme'] = theme === 'system' ? (darkMode().matches ? 'dark' : 'light') : theme
    root.dataset['conv'] = conventionOf(language())
    root.lang = language()
  }
  subscribe(preferences, apply)
  darkMode().addEventListener('change', apply)
  apply()
  return apply
}

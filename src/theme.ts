import { subscribe } from 'valtio'
import type { Language } from '../contract/constants.ts'
import { conventionOf, preferences } from './state/preferences.ts'

const dark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

/** Writes the member's choices on `<html>`, where the style sheet reads them. */
export function applyTheme(language: Language): void {
  const { theme, convention } = preferences
  const root = document.documentElement
  root.dataset['theme'] = theme === 'system' ? (dark().matches ? 'dark' : 'light') : theme
  root.dataset['conv'] = convention ?? conventionOf(language)
  root.lang = language
}

/**
 * Keeps `<html>` in step with the preferences and the system. `language` is asked anew each time; call what comes
 * back when it has changed.
 */
export function followTheme(language: () => Language): () => void {
  const apply = (): void => applyTheme(language())
  subscribe(preferences, apply)
  dark().addEventListener('change', apply)
  apply()
  return apply
}

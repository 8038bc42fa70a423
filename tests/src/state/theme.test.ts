// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { preferences } from '../../../src/state/preferences.ts'
import { applyTheme } from '../../../src/state/theme.ts'

beforeEach(() => {
  document.head.innerHTML = ['light', 'dark']
    .map((scheme) => `<meta name="theme-color" data-scheme="${scheme}" content="#000">`)
    .join('')
})

const bars = (): (string | null)[] =>
  [...document.querySelectorAll('meta')].map((meta) => meta.getAttribute('media'))

it.each([
  ['light', ['all', 'not all']],
  ['dark', ['not all', 'all']],
  ['system', ['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']],
] as const)('sets the colour of the browser’s bar for the theme %s', (theme, media) => {
  preferences.theme = theme
  applyTheme('en')
  expect(bars()).toEqual(media)
})

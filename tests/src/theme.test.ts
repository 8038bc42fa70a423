// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { preferences } from '../../src/state/preferences.ts'
import { applyTheme } from '../../src/theme.ts'

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
] as const)('with the %s theme the browser’s own bar has its colour', (theme, media) => {
  preferences.theme = theme
  applyTheme('en')
  expect(bars()).toEqual(media)
})

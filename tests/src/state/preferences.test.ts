// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { languages } from '../../../contract/constants.ts'

async function visit() {
  vi.resetModules()
  return import('../../../src/state/preferences.ts')
}
beforeEach(() => localStorage.clear())

describe('preferences', () => {
  it('keeps valid values and replaces invalid ones by defaults', async () => {
    localStorage.setItem(
      'preferences',
      JSON.stringify({
        theme: 'dark',
        convention: 'purple',
        favourites: ['EURUSD', 3],
        chart: { style: 'area' },
      }),
    )
    const { preferences } = await visit()
    expect(preferences).toMatchObject({
      theme: 'dark',
      convention: null,
      favourites: [],
      chart: { frame: null, style: 'area', secondsStyle: 'area' },
    })
  })

  it('is stored and loaded again', async () => {
    const first = await visit()
    const stop = first.persistPreferences()
    first.toggleFavourite('EURUSD')
    first.toggleFavourite('GC')
    first.toggleFavourite('EURUSD')
    await Promise.resolve()
    stop()
    const { preferences } = await visit()
    expect(preferences.favourites).toEqual(['GC'])
  })

  it('keeps the products seen last, the newest first and each once', async () => {
    const { preferences, noteSeen } = await visit()
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'c']) noteSeen(id)
    expect(preferences.lastSeen.join('')).toBe('cihgfedb')
  })

  it('has the colour convention of each language', async () => {
    const { conventionOf } = await visit()
    expect(Object.fromEntries(languages.map((language) => [language, conventionOf(language)]))).toEqual({
      'zh-CN': 'red',
      'zh-TW': 'red',
      ja: 'red',
      ko: 'red-blue',
      en: 'green',
      th: 'green',
      vi: 'green',
      id: 'green',
      fr: 'green',
      de: 'green',
    })
  })
})

describe('theme', () => {
  it('sets theme, colours and language on the html element', async () => {
    const { preferences } = await visit()
    const { applyTheme } = await import('../../../src/state/theme.ts')
    preferences.theme = 'dark'
    applyTheme('ko')
    const root = document.documentElement
    expect([root.dataset['theme'], root.dataset['conv'], root.lang]).toEqual(['dark', 'red-blue', 'ko'])
    preferences.convention = 'green'
    preferences.theme = 'light'
    applyTheme('zh-CN')
    expect([root.dataset['theme'], root.dataset['conv'], root.lang]).toEqual(['light', 'green', 'zh-CN'])
  })
})

// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renewLanguageCookie, startLanguage, storeChosenLanguage } from '../../../src/text/chosenLanguage.ts'

beforeEach(() => {
  localStorage.clear()
  document.documentElement.lang = ''
})

describe('startLanguage', () => {
  it.each([
    ['de', 'ja', 'de'],
    [null, 'ja', 'ja'],
    ['xx', 'ja', 'ja'],
    ['"de"', 'ja', 'ja'],
    [null, '', 'zh-CN'],
    [null, 'xx', 'zh-CN'],
  ])('with %j stored and the page in %j it is %s', (stored, page, language) => {
    if (stored !== null) localStorage.setItem('language', stored)
    document.documentElement.lang = page
    expect(startLanguage()).toBe(language)
  })
})

describe('the language cookie', () => {
  const set = vi.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined)
  beforeEach(() => set.mockClear())

  it('is set with the choice, for a year, and not sent to other sites', () => {
    storeChosenLanguage('zh-TW')
    expect(set.mock.calls).toEqual([['language=zh-TW; Path=/; Max-Age=31536000; SameSite=Lax']])
    expect(startLanguage()).toBe('zh-TW')
  })

  it('is renewed at the start if the member has chosen a language', () => {
    document.documentElement.lang = 'ja'
    renewLanguageCookie()
    expect(set).not.toHaveBeenCalled()
    localStorage.setItem('language', 'de')
    renewLanguageCookie()
    expect(set.mock.calls).toEqual([['language=de; Path=/; Max-Age=31536000; SameSite=Lax']])
  })
})

import { expect, it } from 'vitest'
import { chosenLanguage, readerLanguage } from '../../../../server/platform/http/requestLanguage.ts'

it.each([
  [undefined, 'zh-CN'],
  ['', 'zh-CN'],
  ['xx', 'zh-CN'],
  ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
  ['xx, en-US;q=0.5, de;q=0.7', 'de'],
  ['zh', 'zh-CN'],
  ['zh-Hans-SG', 'zh-CN'],
  ['zh-HK', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['ko;q=0, ja', 'ja'],
  ['id;q=nonsense, vi', 'vi'],
])('a browser that accepts %j gets %s', (header, language) => {
  expect(readerLanguage({ 'accept-language': header })).toBe(language)
})

it.each([
  ['language=de', 'de'],
  ['sid=x; language=zh-TW; device=y', 'zh-TW'],
  ['language=xx', 'ja'],
  ['language=', 'ja'],
  ['language=%ZZ', 'ja'],
  ['other-language=de', 'ja'],
  ['; =; language', 'ja'],
])('with the cookie %j a browser that accepts ja gets %s', (header, language) => {
  expect(readerLanguage({ cookie: header, 'accept-language': 'ja' })).toBe(language)
})

it.each([
  ['language=de', 'de'],
  ['language=xx', 'zh-CN'],
  [undefined, 'zh-CN'],
])('with the cookie %j the app starts in %s, whatever the browser prefers', (header, language) => {
  expect(chosenLanguage({ ...(header !== undefined && { cookie: header }), 'accept-language': 'ja' })).toBe(
    language,
  )
})

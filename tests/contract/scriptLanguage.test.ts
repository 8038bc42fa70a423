import { expect, it } from 'vitest'
import { languageOfScript } from '../../contract/scriptLanguage.ts'

it.each([
  ['我的充值还没到账', 'zh-CN'],
  ['ID 我的', 'zh-CN'],
  ['入金の確認をお願いします', 'ja'],
  ['パスワード', 'ja'],
  ['출금이 안 됩니다', 'ko'],
  ['入金 확인', 'ko'],
  ['ฝากเงินไม่เข้า', 'th'],
  ['Where is my deposit?', null],
  ['Wo ist mein Geld?', null],
  ['12345', null],
  ['', null],
] as const)('the script of %s gives away %s', (text, language) => {
  expect(languageOfScript(text)).toBe(language)
})

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPack } from '../../support/textPack.ts'

const root = join(import.meta.dirname, '../../..')
const seeds = join(root, 'server/office/content/seed')
type Place = readonly [where: string, text: string]

const packOf = (language: string): Place[] => [...readPack(join(root, `locales/${language}.json`))]
const cannedOf = (language: string): Place[] => [...readPack(join(root, `office/canned/${language}.json`))]
const guideOf = (language: string, folder = 'texts'): string =>
  readFileSync(join(root, `src/pages/check/${folder}/${language}.md`), 'utf8')
const seedsOf = (language: string): Place[] =>
  readdirSync(seeds).flatMap((folder) =>
    readdirSync(join(seeds, folder))
      .filter((file) => file.endsWith(`.${language}.md`))
      .map((file): Place => [file, readFileSync(join(seeds, folder, file), 'utf8')]),
  )

/** All that a member reads in a language, with its key or file. */
const textsOf = (language: string): Place[] => [
  ...packOf(language),
  ...cannedOf(language),
  ['check', guideOf(language)],
  ['check, in short', guideOf(language, 'short')],
  ...seedsOf(language),
]

/** Words that stand for something the same language names otherwise, or that belong to another country. */
const otherWords: Record<string, RegExp> = {
  'zh-CN': /链头|了结|未成交|核验|接受订单|订单被接受|新增两步/,
  'zh-TW': /核驗|標紅|了結|註銷|通行金鑰|窗口|24h|提交|實名/,
  ja: /ブラウザ(?!ー)|出所|カスタマーサービス|取引可能額|投資額|既知|身分証|証人/,
  ko: /할까요|자율 제한|적중률|모의 자금|이달|당사|펀드 (즉시 |일반 )?(입금|출금|입출금)|원탭/,
  th: /เทรด|ฝ่ายบริการลูกค้า|ครับ|ค่ะ|ยอดที่ใช้ได้|บทสนทนา|ราคาขัดข้อง|แตะครั้งเดียว/,
}
const languages = Object.keys(otherWords)

describe.each(languages)('texts in %s', (language) => {
  it('name each thing by its one word', () => {
    const words = otherWords[language] ?? /^$/
    const wrong = textsOf(language).flatMap(([where, text]) => {
      const word = words.exec(text.replaceAll('\u2060', ''))?.[0]
      return word === undefined ? [] : [`${where}: ${word}`]
    })
    expect(wrong).toEqual([])
  })
})

it.each(['zh-CN', 'zh-TW', 'ja', 'ko'])(
  'one-tap orders name the buttons as they are named (%s)',
  (language) => {
    const pack = new Map(packOf(language))
    const buttons = ['ticket.buyUp', 'ticket.buyDown', 'order.again'].map((key) => pack.get(key))
    expect(buttons.filter((name) => !pack.get('oneTap.explained')?.includes(String(name)))).toEqual([])
  },
)

it.each(['zh-CN', 'zh-TW', 'ja', 'ko'])(
  'the short check page names the hash chain as a proof does (%s)',
  (language) => {
    const chain = new Map(packOf(language)).get('proof.chain')
    expect(guideOf(language, 'short')).toContain(`**${String(chain)}**`)
  },
)

it('a transfer of the fund is not called a bank transfer', () => {
  const wrong = ['zh-CN', 'zh-TW'].flatMap((language) =>
    packOf(language).filter(([key, text]) => /转账|轉帳/.test(text) && !key.startsWith('deposit.')),
  )
  expect(wrong).toEqual([])
})

it('Chinese of the mainland has no space between Han and Latin or digits, Chinese of Taiwan has one', () => {
  const spaced = packOf('zh-CN').filter(([, text]) => /\p{sc=Han} [\dA-Z]|[\dA-Z] \p{sc=Han}/iu.test(text))
  const joined = packOf('zh-TW').filter(([, text]) => /\p{sc=Han}[\dA-Z#]|[\dA-Z%]\p{sc=Han}/iu.test(text))
  expect([spaced, joined].map((places) => places.map(([key]) => key))).toEqual([[], []])
})

it.each(['zh-CN', 'zh-TW', 'ja'])('the lists of the check page have full-width colons (%s)', (language) => {
  expect(guideOf(language).match(/^- `.*?`: .*$/gm)).toBeNull()
})

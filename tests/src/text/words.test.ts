import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../../../contract/constants.ts'
import { readPack } from '../../support/textPack.ts'

const root = join(import.meta.dirname, '../../..')
const markdownIn = (folder: string, language: string): [name: string, text: string][] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(`${language}.md`))
    .map((file) => [file, readFileSync(join(root, folder, file), 'utf8')])

/** The texts of a pack with their keys, each variable as 0. */
const packOf = (language: string): [key: string, text: string][] =>
  [...readPack(join(root, 'locales', `${language}.json`))].map(([key, text]) => [
    key,
    text.replaceAll(/\{\{.*?\}\}/g, '0'),
  ])

type Rule = { word: RegExp; except?: RegExp }

/** Words with a second meaning in the app, or for which it has another one; `except` are the keys that may have them. */
const rules: Record<string, readonly Rule[]> = {
  en: [{ word: /\bvenue\b/i }, { word: /\bshares\b/i }, { word: /\bpayout (account|details)\b/i }],
  de: [
    { word: /Nachricht/, except: /^service\./ },
    { word: /\d (h|s|Std|Stunden|Tage|Zeichen|Ziffern|KB|MB)\b/ },
    { word: /\bTipps?\b|geklappt/ },
  ],
  fr: [
    { word: /\bprix\b/ },
    { word: /message/i, except: /^service\./ },
    { word: /Aucuns/ },
    { word: /\d (h|s|heures|jours|minutes|caractères|chiffres|lettres|Ko|Mo)\b/ },
  ],
  vi: [
    { word: /tin nhắn/i, except: /^service\./ },
    { word: /passkey|crypto|chứng từ|chỉ mục|tỷ lệ lãi|mật khẩu( giao dịch)? cũ/i },
  ],
  id: [
    { word: /setor/i, except: /^(fund|records\.types\.fund_in|me\.explain\.available)/ },
    { word: /\bpesan\b/i, except: /^service\./ },
    { word: /\bjeda\b/i, except: /^(limits\.|ownData\.staysText|withdraw\.restWhy)/ },
    { word: /berkas|laporan rekening|kredit pertama|lagi beberapa|(kata sandi|PIN transaksi) lama/i },
  ],
}

describe.each(Object.entries(rules))('words of %s', (language, ofLanguage) => {
  const pack = packOf(language)

  it('each mean one thing', () => {
    const wrong = ofLanguage.flatMap(({ word, except }) =>
      pack.filter(([key, text]) => word.test(text) && except?.test(key) !== true).map(([key]) => [key, word]),
    )
    expect(wrong).toEqual([])
  })
})

const western = [...Object.keys(rules), 'th']

describe.each(western)('texts in %s', (language) => {
  const pack = new Map(packOf(language))

  it('name the buttons of one-tap orders as they are named', () => {
    const buttons = ['ticket.buyUp', 'ticket.buyDown', 'order.again'].map((key) => pack.get(key))
    const explained = pack.get('oneTap.explained')?.replaceAll('\u2060', '')
    expect(buttons.filter((name) => !explained?.includes(String(name).replaceAll('\u2060', '')))).toEqual([])
  })

  it('name the hash chain on the short check page as a proof does', () => {
    const [[, page] = []] = markdownIn('src/pages/check/short', language)
    expect(page).toContain(`**${pack.get('proof.chain')?.replaceAll('\u2060', '')}**`)
  })

  it('say the next step where a password is wrong or a reason is given', () => {
    const reasons = [...readPack(join(root, 'office/canned', `${language}.json`))].filter(
      ([key]) => key.startsWith('reasons.') && !key.endsWith('.askedToStop'),
    )
    const errors = ['OLD_PASSWORD_WRONG', 'TRANSACTION_PASSWORD_WRONG', 'TYPE', 'INVALID', 'TOO_LONG'].map(
      (code): [string, string] => [code, pack.get(`error.${code}`) ?? ''],
    )
    const alone = [...reasons, ...errors].filter(([, text]) => !(language === 'th' ? / / : /\. /).test(text))
    expect(alone.map(([key]) => key)).toEqual([])
  })
})

it.each(languages)('an error of one sentence ends without a full stop (%s)', (language) => {
  const wrong = packOf(language).filter(
    ([key, text]) =>
      key.startsWith('error.') && /[.。]$/.test(text) && !/[.!?…:;]\s|[。！？…：；]./.test(text),
  )
  expect(wrong.map(([key]) => key)).toEqual([])
})

it('a French colon follows a no-break space, in packs and pages', () => {
  const texts = [
    ...readPack(join(root, 'locales/fr.json')),
    ...markdownIn('src/pages/check/texts', 'fr'),
    ...markdownIn('server/office/content/seed', '.fr'),
  ].map(
    ([name, text]) => [name, text.replace(/^---[^]*?\n---\n/, '').replaceAll(/```[^]*?```/g, '')] as const,
  )
  expect(
    texts.filter(([, text]) => /\u202F:|[a-zàâçéèêëîïôûù»`] ?: /i.test(text)).map(([name]) => name),
  ).toEqual([])
})
